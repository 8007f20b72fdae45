"""What does each table of the database hold?

The tables in SQLAlchemy Core, in the order of the data flow: sources, types, entries.
``index.schema`` puts them together; reading does not import this package.
"""
