"""Compares the types of operations with those of openapi-typescript, by the compiler.

    python scripts/check_rendered.py --data DATA [--documents 20] [--defaults] [--as-written]

``DATA`` has ``restbench/`` and ``socbench/``.  Both documents of the former and twenty of the
latter are rendered as TypeScript: they must compile under ``tsc --strict``, and of each operation
the parameters by place, the body (with whether it is needed) and the result of 2xx must be
assignable to what npm's openapi-typescript generates, and back.  Prints what differs, and how many
leaves of the types are ``any`` or ``unknown`` in ours and in theirs.  Exit code 1 if ours does not
compile or fewer than 97 % agree.  Needs node and npm; both packages are fetched once into the
user's cache folder.

openapi-typescript runs with ``emptyObjectsUnknown`` and ``defaultNonNullable: false``: by default
it takes ``type: object`` for an object without any property, and what has a default for required,
in responses too; neither is what JSON Schema says.  ``--defaults`` leaves it as it comes.

Two things in RestBench's Spotify document are mended for both first, unless ``--as-written``:
booleans written as text ("required": "false" is true for JavaScript), and discriminators without a
mapping whose members have an enum for that property in which their own name does not occur.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typematch.ir.constructors import object_type
from typematch.ir.module import Member, Module
from typematch.ir.render import render
from typematch.ir.type_parts import Property
from typematch.ir.types import NEVER, Named, Object, Type
from typematch.sources.documents import read_document
from typematch.sources.openapi.loading import DocumentError

NEEDED = 0.97
PACKAGES = ("openapi-typescript@7.13.0", "typescript@5.9.3")
PLACES = ("path", "query", "header", "cookie")


class Nothing:
    """A folder without other documents."""

    def read(self, path: str) -> bytes:
        raise DocumentError(f"{path} is not there")


def packages() -> Path:
    """Return the folder of both npm packages; install them the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    root = cache / "typematch" / "-".join(PACKAGES)
    if not (root / "node_modules" / "openapi-typescript").exists():
        root.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run([*command, "--prefix", str(root), *PACKAGES], check=True)
    return root


def documents(data: Path, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name, document): those of RestBench, and of SOCBench-D the first of each domain."""
    for name in ("spotify", "tmdb"):
        with gzip.open(data / "restbench" / f"{name}.json.gz") as file:
            yield name, json.load(file)["specs"][0]["openapi"]
    taken = 0
    for instance in ("1", "2"):
        with gzip.open(data / "socbench" / f"{instance}.jsonl.gz") as file:
            for line in file:
                domain = json.loads(line)
                if taken < count:
                    taken += 1
                    yield f"{domain['domain']}-{instance}", domain["specs"][0]["openapi"]


_BOOLEAN = frozenset(("required", "nullable", "additionalProperties", "deprecated"))


def mended(value: Any) -> Any:
    """Return a document without constructs on which the two readers differ by design.

    True and false are written as text in places, of which JavaScript takes either for true.
    """
    if isinstance(value, dict):
        return {
            key: inner == "true"
            if key in _BOOLEAN and inner in ("true", "false")
            else mended(inner)
            for key, inner in value.items()
        }
    return [mended(item) for item in value] if isinstance(value, list) else value


def without_extensions(value: Any) -> Any:
    """Return a document without ``x-`` keys: openapi-typescript follows references in them."""
    if isinstance(value, dict):
        return {k: without_extensions(v) for k, v in value.items() if not k.startswith("x-")}
    return [without_extensions(item) for item in value] if isinstance(value, list) else value


def without_contradictions(value: Any, schemas: dict[str, Any]) -> Any:
    """Return a document without discriminators whose values a member's enum excludes.

    No value fits such a union; openapi-typescript rewrites the member everywhere, we keep its enum.
    """
    if isinstance(value, list):
        return [without_contradictions(item, schemas) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without_contradictions(inner, schemas) for key, inner in value.items()}
    discriminator = value.get("discriminator")
    if isinstance(discriminator, dict) and "mapping" not in discriminator:
        for member in value.get("oneOf", []):
            name = member.get("$ref", "").rpartition("/")[2]
            property_ = schemas.get(name, {}).get("properties", {})
            enum = property_.get(discriminator["propertyName"], {}).get("enum", [name])
            if name not in enum:
                kept.pop("discriminator", None)
    return kept


def rendered(module: Module) -> tuple[str, list[dict[str, str]]]:
    """Return our types of a document as TypeScript, and its operations."""
    lines: list[str] = []
    operations: list[dict[str, str]] = []
    members: list[Member] = []
    for declared in module.scope.declarations:
        members.extend(declared.members)
        for schema in declared.body.declarations if declared.body is not None else ():
            assert schema.type is not None
            lines.append(f"export type {schema.name} = {render(schema.type)};")
    lines.append("export interface Operations {")
    for member in members:
        assert member.endpoint is not None
        key = f"{member.endpoint.method} {member.endpoint.path}"
        parts = {place: render(given(member, place)) for place in PLACES}
        parts["body"] = render(body(member))
        parts["result"] = render(result(member))
        inside = "; ".join(f"{part}: {text}" for part, text in parts.items())
        lines.append(f"  {json.dumps(key)}: {{ {inside} }};")
        media = next((name for place, name in member.endpoint.parameters if place == "body"), "")
        operations.append(
            {
                "key": key,
                "path": member.endpoint.path,
                "method": member.endpoint.method.lower(),
                "media": media,
            }
        )
    return "\n".join([*lines, "}"]), operations


def given(member: Member, place: str) -> Type:
    """Return the parameters of one location as an object type; ``never`` without any."""
    assert member.endpoint is not None
    call = member.overloads[0].signature
    found = [
        Property(wire, parameter.type, parameter.optional)
        for parameter, (where, wire) in zip(
            call.parameters, member.endpoint.parameters, strict=True
        )
        if where == place
    ]
    return object_type(found) if found else NEVER


def body(member: Member) -> Type:
    """Return ``{ must: body }`` or ``{ may: body }``; ``never`` without a body."""
    assert member.endpoint is not None
    call = member.overloads[0].signature
    for parameter, (where, _) in zip(call.parameters, member.endpoint.parameters, strict=True):
        if where == "body":
            return Object((Property("may" if parameter.optional else "must", parameter.type),))
    return NEVER


def result(member: Member) -> Type:
    returns = member.overloads[0].signature.returns
    assert isinstance(returns, Named)
    return returns.arguments[0]


def compared(
    data: Path, count: int, *, defaults: bool, mend: bool
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the names of the documents, and the findings of ``check_rendered.mjs``."""
    names: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, document) in enumerate(documents(data, count)):
            names[str(number)] = name
            document = without_extensions(document)
            if mend:
                schemas = document.get("components", {}).get("schemas", {})
                document = without_contradictions(mended(document), schemas)
            text = json.dumps(document)
            module = read_document(text.encode(), path=f"{name}.json", siblings=Nothing())
            assert not module.unreadable, f"{name}: {module.unreadable}"
            ours, operations = rendered(module)
            Path(folder, f"{number}.json").write_text(text)
            Path(folder, f"ours-{number}.ts").write_text(ours)
            Path(folder, f"{number}.operations.json").write_text(json.dumps(operations))
        script = Path(__file__).with_suffix(".mjs")
        command = ["node", str(script), str(packages()), folder, "defaults" if defaults else ""]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, Any] = json.loads(printed)
    return names, found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=20, help="of SOCBench-D")
    parser.add_argument("--defaults", action="store_true", help="openapi-typescript as it comes")
    parser.add_argument("--as-written", action="store_true", help="mend no document")
    parser.add_argument("--verbose", action="store_true", help="print the types that differ")
    arguments = parser.parse_args()
    names, found = compared(
        arguments.data,
        arguments.documents,
        defaults=arguments.defaults,
        mend=not arguments.as_written,
    )
    for file, errors in found["errors"].items():
        print(f"does not compile: {file} ({names[file.rpartition('-')[2]]}): {errors}")
    agreeing = 0
    for operation in found["operations"]:
        agreeing += not operation["differing"]
        for part in operation["differing"]:
            failed = [name for name in ("ours_to_theirs", "theirs_to_ours") if not part[name]]
            where = f"{names[operation['document']]}  {operation['key']}  {part['part']}"
            print(f"{where}: not {', '.join(failed)}")
            if arguments.verbose:
                print(f"    ours    {part['ours']}\n    theirs  {part['theirs']}")
    total = len(found["operations"])
    print(f"{len(names)} documents, {total} operations: {agreeing} agree, {agreeing / total:.1%}")
    for side, count in found["vague"].items():
        share = count["vague"] / count["all"]
        print(
            f"any or unknown in {side}: {count['vague']:,} of {count['all']:,} leaves, {share:.2%}"
        )
    return int(bool(found["errors"]) or agreeing / total < NEEDED)


if __name__ == "__main__":
    sys.exit(main())
