"""Entry points of the reader: ``read_module`` for a file, ``read_type`` for a single type."""

from __future__ import annotations

import re
import time
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
# CPU seconds to parse a file and its rewrites: some errors take time quadratic in their number.
_MAX_SECONDS, _MAX_SECONDS_PER_BYTE = 3.0, 2e-6
_STRING_LITERAL = re.compile(r"""'[^'\n]*'|"[^"\n]*"|`[^`]*`""")
_CHUNK = 1 << 16
_DECLARATION_FILE = re.compile(r"\.d(?:\.[^./]+)?\.[mc]?ts$")


@cache
def _readers(jsx: bool) -> dict[int, TypeReader]:
    kinds = dialect(jsx).kinds
    return {number: _READERS[kind] for number, kind in kinds.items() if kind in _READERS}


def read_module(text: bytes, *, path: str) -> Module:
    """Return the declarations of a file; the suffix of ``path`` chooses the dialect.

    Syntax errors never raise: they are counted in the module, and the rest of the file is read.
    """
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = text.decode("utf-16", "replace").encode()
    if b"\0" in text:
        return _unreadable("binary file")
    if text.startswith(b"\xef\xbb\xbf"):
        text = b"   " + text[3:]
    jsx = path.endswith((".tsx", ".jsx"))
    grammar = dialect(jsx)
    try:
        tree = _parse(grammar, text)
    except ValueError:
        return _unreadable("syntax errors that take too long to parse")
    context = ParseContext(text, grammar.kinds, _readers(jsx))
    context.ambient = bool(_DECLARATION_FILE.search(path))
    root = tree.root_node
    module = is_module(context, root) or (not context.ambient and path.endswith((".mts", ".cts")))
    nodes = root.children
    scope = read_scope(context, nodes, "file") if module else read_script(context, nodes)
    _add_references(context)
    specifiers = dict.fromkeys([specifier for _, specifier in sorted(context.specifiers)])
    if module:
        # The module that `declare module "m"` augments is resolved like an imported one.
        specifiers |= dict.fromkeys([at.name for at in scope.scopes if at.kind == "ambient"])
    return Module(scope, module, tuple(specifiers), context.errors + count_errors(root))


def read_type(text: str) -> Type:
    """Return the type that ``text`` denotes, with unresolved names as ``Named``.

    Raises:
        TypeSyntaxError: the text is not a type.
    """
    prefix = b"type T="
    source = prefix + text.encode("utf-8", "replace") + b"\n;"
    grammar = dialect(False)
    root = _parse(grammar, source).root_node
    context = ParseContext(source, grammar.kinds, _readers(False))
    statements = [
        node
        for node in context.named_children(root)
        if grammar.kinds[node.kind_id] != "empty_statement"
    ]
    value = statements[0].child_by_field_name("value") if len(statements) == 1 else None
    if root.has_error or value is None or not text.strip():
        offset = max(0, _first_error(root) - len(prefix))
        column = len(text.encode("utf-8", "replace")[:offset].decode("utf-8", "ignore"))
        if _has_open_bracket(text):
            column = len(text.rstrip())
        problem = "the type is incomplete" if column >= len(text.rstrip()) else "this is no type"
        hint = 'A type of a package is written import("package").Name.' if "@" in text else ""
        raise TypeSyntaxError(text, min(column, len(text)), hint=hint, problem=problem)
    return lower.lower_type(context, value)


def _has_open_bracket(text: str) -> bool:
    """Whether a bracket of a type is not closed; those in string literals do not count."""
    code = _STRING_LITERAL.sub("", text)
    return sum(map(code.count, "([{")) > sum(map(code.count, ")]}"))


def _unreadable(reason: str) -> Module:
    return Module(Scope("file"), False, unreadable=reason)


def _parse(grammar: Dialect, text: bytes) -> Tree:
    """Parse ``text``, and its rewrites if it has errors; return the tree with the fewest errors.

    Raises:
        ValueError: it took more than the time that such a length may take.
    """
    text = mask_import_types(text)
    ends = time.thread_time() + _MAX_SECONDS + len(text) * _MAX_SECONDS_PER_BYTE
    best = _parse_until(ends, grammar, text)
    if not best.root_node.has_error:
        return best
    errors = count_errors(best.root_node)
    for rewrite in REPAIRS:
        rewritten = rewrite(text)
        if rewritten == text:
            continue
        try:
            tree = _parse_until(ends, grammar, rewritten)
        except ValueError:
            break
        left = count_errors(tree.root_node)
        if left < errors:
            best, errors, text = tree, left, rewritten
        if not errors:
            break
    return best


def _parse_until(ends: float, grammar: Dialect, text: bytes) -> Tree:
    """Parse ``text``.

    Raises:
        ValueError: the CPU time of this thread has reached ``ends``.
    """

    def expired(_offset: int, _has_error: bool) -> bool:
        return time.thread_time() >= ends

    # Only the parser of a function reports its progress.
    return grammar.parser().parse(
        lambda offset, _point: text[offset : offset + _CHUNK], progress_callback=expired
    )


def _add_references(context: ParseContext) -> None:
    """Add the targets of ``/// <reference>`` lines to the module specifiers."""
    if b"<reference" not in context.text:
        return
    for match in _REFERENCE.finditer(context.text):
        name = match[2].decode("utf-8", "replace")
        if match[1] == b"path":
            specifier = name if name.startswith((".", "/")) else f"./{name}"
        else:
            specifier = f"{match[1].decode()}:{name}"
        context.specifiers.append((match.start(), specifier))


def count_errors(root: Node) -> int:
    """Return the number of error and missing nodes of a tree."""
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
    """Return the byte offset of the first error or missing node."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.is_error or node.is_missing:
            return node.start_byte
        if node.has_error:
            pending.extend(reversed(node.children))
    return root.end_byte
