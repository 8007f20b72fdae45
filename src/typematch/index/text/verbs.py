"""Verbs of requests and of operations: the one table that indexing and searching share."""

from __future__ import annotations

from collections.abc import Mapping

# Verbs of a request that agree with an HTTP method.
_METHOD_VERBS: Mapping[str, str] = {
    "GET": """
        access analyse analyze assess browse check compare determine discover display download
        estimate evaluate examine explore export fetch find forecast get give identify inspect
        list locate look measure monitor obtain offer predict provide query read receive
        recommend retrieve review search see show summarise summarize tell track view watch
    """,
    "POST": """
        add analyse analyze append apply assign authenticate begin book build calculate compare
        compute configure create enable enroll execute generate import initiate insert install
        invite invoke issue join launch log make order pay perform place post process propose
        publish purchase record register report request reserve run schedule send set simulate
        skip start submit subscribe test trigger upload validate verify
    """,
    "PUT": """
        activate adjust approve assign change configure deactivate disable edit enable follow
        increase lower make mark modify mute optimise optimize pause play put reduce refine
        rename replace reschedule resume save set switch turn update upgrade
    """,
    "PATCH": """
        activate adjust approve change configure deactivate disable edit enable increase mark
        modify refine rename reschedule set update upgrade
    """,
    "DELETE": """
        cancel clear delete discard drop erase leave remove revoke terminate unblock unfollow
        unregister unsubscribe withdraw
    """,
}
METHOD_VERBS: Mapping[str, frozenset[str]] = {
    method: frozenset(verbs.split()) for method, verbs in _METHOD_VERBS.items()
}
_OTHER_VERBS = """
    acquire aggregate alert allocate archive attach authorize block call choose clone close
    collect complete confirm connect convert copy count customise customize define deploy
    describe design detect develop draw ensure enter establish extract file fill filter finalise
    finalize flag format forward gather grant group guide handle hide implement inform integrate
    keep like link load lock manage map match merge move name navigate notify open organise
    organize outline parse pick plan prepare print produce pull push queue raise rank rate
    recalculate reconcile redeem refresh refund reject release reload remind render renew
    reorder repeat reply reset resolve restart restore restrict return reverse rotate sample
    scale scan secure select share sign sort specify stop store stream suggest suspend sync
    synchronise synchronize tag toggle train transcribe transfer transform translate unlock use
    visualise visualize write
"""
# Imperatives that start a request to a service or a library.
REQUEST_VERBS = frozenset(_OTHER_VERBS.split()).union(*METHOD_VERBS.values())
# The few that are indexed with the name of an operation: more of them would match every request.
INDEXED_VERBS: Mapping[str, tuple[str, ...]] = {
    "GET": ("get", "retrieve", "fetch", "list"),
    "POST": ("post", "create", "add"),
    "PUT": ("put", "update", "set"),
    "PATCH": ("patch", "update"),
    "DELETE": ("delete", "remove"),
}
# First words of the names of functions that only read, and the HTTP methods that only read.
READ_VERBS = ("get", "list", "find", "search", "fetch", "read", "load", "query", "lookup")
SAFE_METHODS = frozenset(("GET", "HEAD"))
