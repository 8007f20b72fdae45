"""``typematch relate``: is one type assignable to another, and if not, where does it break?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from typematch.search.present.wire_format import relate_document
from typematch.serve.cli.arguments import parser, read
from typematch.serve.cli.exit_codes import NONE, OK
from typematch.serve.cli.printing import print_document

_MORE = """\
examples:
  typematch relate 'string[]' 'Iterable<string>'
  typematch relate '(a: string) => 1' '(a: "x", b: number) => number'
  typematch relate 'Circle' '{ radius: number }' --declarations shapes.ts

The relation is the TypeScript compiler's own assignability under `strict`.  Both types are plain
TypeScript: there is no _ and no variable that was not declared.

exit codes: 0 assignable, 1 not (or undecided), 2 bad type or usage"""
_WORDS = {"assignable": "yes", "not-assignable": "no", "undecided": "undecided"}


def run(words: Sequence[str]) -> int:
    made = parser(
        "relate",
        "SOURCE TARGET [--declarations FILE] [--json]",
        "Say whether a SOURCE may be assigned to a place of type TARGET, and why not.",
        lambda: _MORE,
        database=False,
    )
    made.add_argument("source", metavar="SOURCE", help="a TypeScript type")
    made.add_argument("target", metavar="TARGET", help="a TypeScript type")
    made.add_argument("--declarations", metavar="FILE", help="TypeScript that declares their names")
    arguments = read(made, words)

    from typematch.type_api import relate

    source, target = arguments.source.strip(), arguments.target.strip()
    verdict = relate(source, target, declarations=_declarations(arguments.declarations))
    document = relate_document(source, target, verdict)
    if arguments.json:
        print_document(document)
    else:
        word, reason = _WORDS[document["verdict"]], document["reason"]
        print(f"{word}: {reason}" if reason else word)
    return OK if verdict else NONE


def _declarations(path: str | None) -> str:
    from typematch.errors import SourceError

    if path is None:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise SourceError(f"cannot read the declarations ({error.strerror})", path) from error
