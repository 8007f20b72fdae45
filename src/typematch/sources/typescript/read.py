"""Read a text of TypeScript: a module, or a single type."""

from __future__ import annotations

import re
from functools import cache

from tree_sitter import Node, Tree

from typematch.errors import TypeSyntaxError
from typematch.ir.module import Module, Scope
from typematch.ir.types import Type
from typematch.sources.typescript import lower, objects, operators, signatures
from typematch.sources.typescript.normalize import REPAIRS, mask_import_types
from typematch.sources.typescript.parse_context import Dialect, ParseContext, TypeReader, dialect
from typematch.sources.typescript.scopes import is_module, read_scope, read_script

_READERS = {**lower.READERS, **operators.READERS, **signatures.READERS, **objects.READERS}
_REFERENCE = re.compile(
    rb"""^[ \t]*///[ \t]*<reference[ \t]+(path|types|lib)[ \t]*=[ \t]*["']([^"'\n]*)["']""",
    re.MULTILINE,
)
_DECLARATION_FILE = re.compile(r"\.d(?:\.[^./]+)?\.[mc]?ts$")


@cache
def _readers(jsx: bool) -> dict[int, TypeReader]:
    kinds = dialect(jsx).kinds
    return {number: _READERS[kind] for number, kind in kinds.items() if kind in _READERS}


def read_module(text: bytes, *, path: str) -> Module:
    """Return what ``text`` declares; ``path`` gives the dialect.  Never raises on bad text."""
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = text.decode("utf-16", "replace").encode()
    if b"\0" in text:
        return _unreadable("binary file")
    if text.startswith(b"\xef\xbb\xbf"):
        text = b"   " + text[3:]
    jsx = path.endswith((".tsx", ".jsx"))
    grammar = dialect(jsx)
    tree = _parse(grammar, text)
    reading = ParseContext(text, grammar.kinds, _readers(jsx))
    reading.ambient = bool(_DECLARATION_FILE.search(path))
    root = tree.root_node
    module = is_module(reading, root) or (not reading.ambient and path.endswith((".mts", ".cts")))
    nodes = root.children
    scope = read_scope(reading, nodes, "file") if module else read_script(reading, nodes)
    _references(reading)
    specifiers = dict.fromkeys([specifier for _, specifier in sorted(reading.specifiers)])
    if module:
        # What an augmentation adds to is found as an import is.
        specifiers |= dict.fromkeys([at.name for at in scope.scopes if at.kind == "ambient"])
    return Module(scope, module, tuple(specifiers), reading.errors + count_errors(root))


def read_type(text: str) -> Type:
    """Return the type that ``text`` writes, its names left as ``Named``.

    Raises:
        TypeSyntaxError: the text is no type.
    """
    prefix = b"type T="
    source = prefix + text.encode("utf-8", "replace") + b"\n;"
    grammar = dialect(False)
    root = _parse(grammar, source).root_node
    reading = ParseContext(source, grammar.kinds, _readers(False))
    statements = [
        node for node in reading.parts(root) if grammar.kinds[node.kind_id] != "empty_statement"
    ]
    value = statements[0].child_by_field_name("value") if len(statements) == 1 else None
    if root.has_error or value is None or not text.strip():
        offset = max(0, _first_error(root) - len(prefix))
        column = len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore"))
        raise TypeSyntaxError(text, column=min(column, len(text)))
    return lower.lower_type(reading, value)


def _unreadable(reason: str) -> Module:
    return Module(Scope("file"), False, unreadable=reason)


def _parse(grammar: Dialect, text: bytes) -> Tree:
    """Return the tree with the fewest errors among those of ``text`` and its rewritings."""
    text = mask_import_types(text)
    best = grammar.parser.parse(text)
    if not best.root_node.has_error:
        return best
    errors = count_errors(best.root_node)
    for rewrite in REPAIRS:
        rewritten = rewrite(text)
        if rewritten == text:
            continue
        tree = grammar.parser.parse(rewritten)
        left = count_errors(tree.root_node)
        if left < errors:
            best, errors, text = tree, left, rewritten
        if not errors:
            break
    return best


def _references(reading: ParseContext) -> None:
    """Note the ``/// <reference>`` lines."""
    if b"<reference" not in reading.text:
        return
    for match in _REFERENCE.finditer(reading.text):
        name = match[2].decode("utf-8", "replace")
        if match[1] == b"path":
            specifier = name if name.startswith((".", "/")) else f"./{name}"
        else:
            specifier = f"{match[1].decode()}:{name}"
        reading.specifiers.append((match.start(), specifier))


def count_errors(root: Node) -> int:
    """Return how many places of a tree could not be parsed."""
    if not root.has_error:
        return 0
    count = 0
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            count += 1
        elif node.has_error:
            pending.extend(node.children)
    return count


def _first_error(root: Node) -> int:
    """Return the offset of the first place that could not be parsed."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            return node.start_byte
        if node.has_error:
            pending.extend(reversed(node.children))
    return root.end_byte
