"""Answer over HTTP what the command line answers: the same catalog, the same documents."""
