"""Takes what a source does not annotate from the declaration output of the compiler.

Lines, documentation and everything that the source annotates stay those of the source.  An ``any``
that the compiler infers, as it does where an import is missing, says nothing: it stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from typematch.ir.intern import InternedNode, children
from typematch.ir.module import DeclarationStatement, Import, Member, Module, Overload
from typematch.ir.types import ANY, UNANNOTATED

_KINDS = frozenset(("function", "const", "class"))
_PREFIX = "export declare "


def with_declared_types(module: Module, declared: Module) -> Module:
    """Return ``module`` with types of ``declared``, its declaration output."""
    outputs = _by_name(declared.scope.declarations)
    sources = _by_name(module.scope.declarations)
    replacements: dict[int, DeclarationStatement] = {}
    for key, statements in sources.items():
        found = outputs.get(key, [])
        if key[0] in _KINDS and len(found) == len(statements):
            for statement, output in zip(statements, found, strict=True):
                if _is_open(statement):
                    replacements[id(statement)] = _with_types(statement, output)
    if not replacements:
        return module
    scope = replace(
        module.scope,
        imports=_merged_imports(module.scope.imports, declared.scope.imports),
        declarations=tuple(replacements.get(id(item), item) for item in module.scope.declarations),
    )
    specifiers = dict.fromkeys((*module.specifiers, *declared.specifiers))
    return replace(module, scope=scope, specifiers=tuple(specifiers))


def _by_name(
    statements: Iterable[DeclarationStatement],
) -> dict[tuple[str, str], list[DeclarationStatement]]:
    grouped: dict[tuple[str, str], list[DeclarationStatement]] = {}
    for statement in statements:
        grouped.setdefault((statement.kind, statement.name), []).append(statement)
    return grouped


def _is_open(statement: DeclarationStatement) -> bool:
    """Whether a part of the statement is inferred, or not annotated."""
    if statement.inferred or any(_is_open_overload(item) for item in statement.overloads):
        return True
    if any(_is_open_member(member) for member in statement.members):
        return True
    return statement.value is not None and _mentions_unannotated(statement.value)


def _is_open_overload(overload: Overload) -> bool:
    return overload.inferred or _mentions_unannotated(overload.signature)


def _is_open_member(member: Member) -> bool:
    return (
        member.inferred
        or _mentions_unannotated(member.type)
        or any(_is_open_overload(item) for item in member.overloads)
    )


def _mentions_unannotated(node: InternedNode) -> bool:
    pending, seen = [node], {node}
    while pending:
        current = pending.pop()
        if current is UNANNOTATED:
            return True
        new = [part for part in children(current) if part not in seen]
        seen.update(new)
        pending.extend(new)
    return False


def _with_types(
    statement: DeclarationStatement, output: DeclarationStatement
) -> DeclarationStatement:
    overloads = _overloads(statement.overloads, output.overloads, statement.line)
    if output.value is ANY or (overloads and overloads == statement.overloads):
        return statement
    members = {(item.kind, item.name, item.static): item for item in statement.members}
    text = statement.text
    if statement.kind == "const" and not statement.overloads:
        text = output.text.removeprefix(_PREFIX)
    return replace(
        output,
        line=statement.line,
        text=text,
        doc=statement.doc,
        exported=statement.exported,
        default=statement.default,
        inferred=True,
        body=statement.body,
        overloads=overloads,
        members=tuple(
            _member(members.get((item.kind, item.name, item.static)), item, statement.line)
            for item in output.members
        ),
    )


def _overloads(
    sources: Sequence[Overload], outputs: Sequence[Overload], line: int
) -> tuple[Overload, ...]:
    """Return the overloads of the output, with what only the source says."""
    if len(sources) != len(outputs):
        return tuple(replace(output, line=line, inferred=True) for output in outputs)
    return tuple(_overload(*pair) for pair in zip(sources, outputs, strict=True))


def _overload(source: Overload, output: Overload) -> Overload:
    says_nothing = source.inferred or source.signature.returns is UNANNOTATED
    if output.signature.returns is ANY and says_nothing:
        return source
    return replace(
        output,
        line=source.line,
        doc=source.doc,
        is_async=source.is_async,
        is_generator=source.is_generator,
        inferred=source.inferred or _is_open_overload(source),
    )


def _member(source: Member | None, output: Member, line: int) -> Member:
    if source is None:
        overloads = _overloads((), output.overloads, line)
        return replace(output, line=line, overloads=overloads, inferred=True)
    if output.type is ANY:
        return source
    return replace(
        output,
        line=source.line,
        doc=source.doc,
        overloads=_overloads(source.overloads, output.overloads, source.line),
        inferred=source.inferred or _is_open_member(source),
        members=tuple(_member(None, inner, source.line) for inner in output.members),
    )


def _merged_imports(own: Sequence[Import], others: Sequence[Import]) -> tuple[Import, ...]:
    known = {item.local for item in own}
    return (*own, *(item for item in others if item.local not in known))
