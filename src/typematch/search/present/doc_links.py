"""Find the entries that the documentation of an entry names: ``{@link chunk}``, `` `chunk` ``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from typematch.index.store import Store
from typematch.ir.entry import Entry
from typematch.program.entry_attributes import split_name
from typematch.search.present.doc_markup import doc_tags, doc_text
from typematch.search.present.doc_reader import DocBlock, doc_blocks

_NAME = re.compile(r"#?[A-Za-z_$][\w$]{2,}(?:[.#][\w$]+)*(?:\(\))?")


def doc_links(entry: Entry, store: Store) -> dict[str, str]:
    """Return the ids of other entries that the documentation names, by name, in order.

    A name is looked up in the entry and its containers, innermost first, then in its package.
    Names of which there is no entry are left out, those of the entry's parameters too.
    """
    own = {parameter.name for overload in entry.signatures for parameter in overload.parameters}
    candidates = {name: tuple(_ids(name, entry)) for name in _names(entry) if name not in own}
    existing = store.entry_numbers(dict.fromkeys(id_ for ids in candidates.values() for id_ in ids))
    found = {
        name: next((id_ for id_ in ids if id_ in existing), "") for name, ids in candidates.items()
    }
    return {name: id_ for name, id_ in found.items() if id_ and id_ != entry.id}


def _names(entry: Entry) -> dict[str, None]:
    """Return the names in the documentation, its tags and the deprecations, without repeats."""
    deprecations = [signature.deprecation for signature in entry.signatures]
    texts = [doc_text(entry.doc), entry.doc.deprecated if entry.doc else None, *deprecations]
    blocks = [block for text in texts if text for block in doc_blocks(text)]
    blocks += [block for tag in doc_tags(entry.doc) for block in tag.blocks]
    return dict.fromkeys(name for block in blocks for name in _block_names(block))


def _block_names(block: DocBlock) -> Iterator[str]:
    if block.kind == "code":
        return
    for span in block.spans:
        if span.kind == "reference":
            yield span.target
        elif span.kind == "code" and _NAME.fullmatch(span.text):
            yield span.text


def _ids(name: str, entry: Entry) -> Iterator[str]:
    """Yield the ids that a name can mean in the documentation of ``entry``, the nearest first."""
    path = name.removesuffix("()").removeprefix("#")
    container, dot, member = path.rpartition(".")
    # Documentation writes instance members as ``Class.member`` or ``Class#member``.
    paths = (path, f"{container}#{member}") if dot else (path,)
    scope = entry.qualified_name
    while scope:
        yield from (f"{entry.package}#{scope}{sign}{part}" for part in paths for sign in "#.:")
        scope, _ = split_name(scope)
    yield from (f"{entry.package}#{part}" for part in paths)
