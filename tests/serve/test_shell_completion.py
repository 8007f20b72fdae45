"""Shell completion of queries, ids and command lines, and in real shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from measuring import environment
from typematch.catalog import Catalog
from typematch.query.model import Glob
from typematch.query.parse import parse
from typematch.search.present.completion import query_completions
from typematch.serve.cli.main import COMMANDS, main

PETSHOP = Path(__file__).parents[2] / "fixtures" / "petshop"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("ki", ("kind:",), id="facet key"),
        pytest.param("wait for -ki", ("wait for -kind:",), id="negated, after other words"),
        pytest.param("kind:cla", ("kind:class",), id="fixed values"),
        pytest.param("pkg:too", ("pkg:toolbox",), id="values from the database"),
        pytest.param("kind:class,int", ("kind:class,interface",), id="second value"),
        pytest.param("like:toolbox#chu", ("like:toolbox#chunk",), id="an id"),
        pytest.param("nothing:x", (), id="unknown facet"),
        pytest.param("wait", (), id="a word"),
        pytest.param("arity:", (), id="a number"),
    ],
)
def test_completion_of_a_query(query: str, expected: tuple[str, ...], tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        assert catalog.complete(query) == expected


def test_values_with_spaces_are_completed_in_quotes(tmp_path: Path) -> None:
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(PETSHOP, model=None)
        for query in ("service:Pet", 'service:"Pet', 'service:"Pet ', 'service:Grooming,"Pet A'):
            start = query[: query.index("Pet")].removesuffix('"')
            assert f'{start}"Pet Adoption"' in catalog.complete(query), query


def test_a_completed_value_is_quoted_as_in_a_query() -> None:
    names = ("Orders,Billing", "Orders (old", "Orders")
    store: Any = SimpleNamespace(scope_values=lambda _: names)
    for query in ("service:Ord", 'service:"Ord', "service:x,Ord", 'service:"x,y",Ord'):
        completions = query_completions(query, store)
        values = [parse(text).constraints[0].values[-1] for text in completions]
        assert values == [Glob(name) for name in names], query
    assert query_completions('service:"Orders,B', store) == ('service:"Orders,Billing"',)


def test_completion_of_an_id(tiny: Path) -> None:
    with Catalog(tiny, create=False) as catalog:
        assert catalog.complete_id("toolbox#Que")[0] == "toolbox#Queue"
        # An unambiguous name completes to itself.
        assert catalog.complete_id("groupB") == ("groupBy",)
        assert "push" not in catalog.complete_id("push")
        assert len(catalog.complete_id("", limit=7)) == 7


def completions_of(line: str, tiny: Path, tmp_path: Path, **more: str) -> list[str]:
    """Return the completions that typematch writes for the shell."""
    output_file = tmp_path / "completions"
    variables = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(output_file),
        "_ARGCOMPLETE_SUPPRESS_SPACE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "TYPEMATCH_DB": str(tiny),
        **more,
    }
    command = [sys.executable, "-m", "typematch"]
    subprocess.run(command, env=environment(variables), check=True, capture_output=True, timeout=60)
    return output_file.read_text().splitlines()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("typematch ", list(COMMANDS), id="every command"),
        pytest.param("typematch sea", ["search"], id="command"),
        pytest.param("typematch search --expl", ["--explain"], id="an option"),
        pytest.param("typematch search pkg:too", ["pkg:toolbox"], id="a facet"),
        pytest.param("typematch search 'a list pkg:too", ["a list pkg:toolbox"], id="in quotes"),
        pytest.param("typematch show toolbox#chu", ["toolbox#chunk"], id="an id"),
        pytest.param("typematch remove dea", ["deadline"], id="a package"),
        pytest.param("typematch remove --db nowhere.db dea", [], id="without a database"),
        pytest.param("typematch index --keep html,m", ["html,markup"], id="a list"),
        pytest.param("typematch completion f", ["fish"], id="a choice"),
        pytest.param("typematch search wait", [], id="a word"),
    ],
)
def test_completion_of_a_command_line(
    line: str, expected: list[str], tiny: Path, tmp_path: Path
) -> None:
    assert [completion.rstrip() for completion in completions_of(line, tiny, tmp_path)] == expected


def test_completion_of_a_path(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    completions = completions_of(f"typematch index {tmp_path}/sp", tiny, tmp_path)
    assert completions == [f"{tmp_path}/specs/"]


BASH = """
eval "$(typematch completion bash)"
COMP_LINE="$1"; COMP_POINT=${#1}; COMP_TYPE=9
_python_argcomplete typematch
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
autoload -U compinit; compinit -D
eval "$(typematch completion zsh)"
[[ ${_comps[typematch]} == _python_argcomplete ]] || exit 1
_describe() { print -rl -- ${(P)2} }
BUFFER="$1" CURSOR=${#1}; words=(typematch)
_python_argcomplete
"""
FISH = "typematch completion fish | source; complete -C $argv[1]"


@pytest.mark.parametrize(
    ("shell", "program"),
    [(["bash", "-c"], BASH), (["zsh", "-fc"], ZSH), (["fish", "-c"], FISH)],
    ids=["bash", "zsh", "fish"],
)
def test_real_shells_accept_the_completion_script(
    shell: list[str], program: str, tiny: Path, tmp_path: Path
) -> None:
    name = shell[0]
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    run = tmp_path / "typematch"
    run.write_text(f'#!/bin/sh\nexec {sys.executable} -m typematch "$@"\n')
    run.chmod(0o755)
    variables = environment(
        {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "TYPEMATCH_DB": str(tiny)}
    )

    def complete(line: str) -> list[str]:
        words = [line] if name == "fish" else [name, line]
        ran = subprocess.run(
            [*shell, program, *words], env=variables, check=True, capture_output=True, text=True
        )
        return [completion.strip() for completion in ran.stdout.splitlines()]

    [command] = complete("typematch sea")
    assert command.startswith("search")
    [id_] = complete("typematch show toolbox#chu")
    assert id_.rstrip(":") == "toolbox#chunk"


def test_an_unknown_shell_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh"]) == 2
    assert "choose from" in capsys.readouterr().err
