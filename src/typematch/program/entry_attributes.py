"""Attributes of catalog entries that are derived from a declaration, a member or its signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from typematch.ir.declaration import Declarations
from typematch.ir.entry import Entry, EntryKind, EntrySignature
from typematch.ir.module import DeclarationStatement, Doc, Member, Overload, ServiceRole
from typematch.ir.types import Type
from typematch.program.reduction.late_bound_names import late_bound_name
from typematch.program.resolution.module_summary import declared_name
from typematch.program.resolution.symbol_tables import ScopePart, target_key
from typematch.program.resolution.symbols import Program


def service_entry(entry: Entry, service_role: ServiceRole) -> Entry:
    """Return the entry of a service's declaration: exported, without an import statement."""
    return replace(
        entry,
        kind=service_role.role,
        version=service_role.version or entry.version,
        service=service_role.service,
        source=service_role.source,
        exported=True,
        import_statement="",
    )


def operation_entry(entry: Entry, service_role: ServiceRole, member: Member) -> Entry:
    endpoint = member.endpoint
    http = "" if endpoint is None else f"{endpoint.method} {endpoint.path}"
    entry = replace(
        service_entry(entry, service_role), tags=member.labels, http=http, endpoint=endpoint
    )
    return replace(entry, kind="operation") if entry.signatures else replace(entry, kind="property")


def with_signatures(
    entry: Entry,
    signatures: Sequence[EntrySignature],
    overloads: Sequence[Overload],
    text: str = "",
) -> Entry:
    """Return ``entry`` with its signatures and the attributes derived from them."""
    if not signatures:
        return entry
    doc = _merged_doc(entry.doc, overloads)
    return replace(
        entry,
        signature=text or signatures[0].text,
        signatures=tuple(signatures),
        min_arity=min(signature.min_arity for signature in signatures),
        max_arity=_max_arity(signatures),
        doc=doc,
        tags=tags_of(doc),
        is_async=all(signature.is_async for signature in signatures),
        is_generator=any(overload.is_generator for overload in overloads),
        inferred=entry.inferred or any(overload.inferred for overload in overloads),
    )


def _max_arity(signatures: Sequence[EntrySignature]) -> int | None:
    arities = [signature.max_arity for signature in signatures]
    return None if None in arities else max(arity for arity in arities if arity is not None)


def _merged_doc(first: Doc | None, overloads: Sequence[Overload]) -> Doc | None:
    """Return the first doc comment with prose; deprecated only if all overloads are deprecated.

    Comments of overloads that are not deprecated come first.
    """
    docs = [doc for doc in (first, *(overload.doc for overload in overloads)) if doc is not None]
    if any(overload.doc is None or overload.doc.deprecated is None for overload in overloads):
        current = [doc for doc in docs if doc.deprecated is None]
        others = [doc for doc in docs if doc.deprecated is not None and doc.text]
        docs = [*current, *(replace(doc, deprecated=None) for doc in others)]
    return next((doc for doc in docs if doc.text), next(iter(docs), None))


def with_rank(entry: Entry, rank: int) -> Entry:
    """Return ``entry`` with a numbered id if ``rank`` earlier scopes declare its name."""
    return replace(entry, id=f"{entry.id}~{rank + 1}") if rank else entry


def split_name(name: str) -> tuple[str, str]:
    """Return the container and the last segment of a qualified name."""
    cut = max(name.rfind("."), name.rfind("#"), name.rfind(":"))
    return (name[:cut], name[cut + 1 :]) if cut >= 0 else ("", name)


def display_name(name: str, part: ScopePart, program: Program, declarations: Declarations) -> str:
    """Return a member's name as it is read: ``[Symbol.iterator]``, or the text of a constant.

    ``name`` was written in the scope ``part``.
    """
    if name.startswith("@?"):
        constant = program.resolve(part, f"v:{name[2:]}")
        if constant is not None:
            key = ".".join((target_key(constant.target), *constant.rest))
            text = late_bound_name(declarations.get, f"@@{key}")
            if not text.startswith("@@"):
                return text
        return f"[{name[2:]}]"
    return f"[Symbol.{name[2:]}]" if name.startswith("@@") else name


def search_name(last: str, statement: DeclarationStatement) -> str:
    """Return the entry's name; a default export has the name of its declaration."""
    return declared_name(statement) if last.partition("~")[0] == "default" else last


def type_kind(statement: DeclarationStatement) -> EntryKind:
    match statement.kind:
        case "class" | "interface" | "alias" | "enum":
            return statement.kind
        case _:
            raise AssertionError(statement.kind)


def outer_if_used(t: Type | None, outer: tuple[str, ...]) -> tuple[str, ...]:
    return outer if t is not None and t.loose_depth else ()


def tags_of(doc: Doc | None) -> tuple[str, ...]:
    return () if doc is None else tuple(dict.fromkeys(name for name, _ in doc.tags))
