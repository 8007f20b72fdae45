"""Output and exit code of every command, on the fixtures."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import FIXTURES, Golden
from databases import copy_database
from typematch.catalog import Catalog
from typematch.errors import WorkerError
from typematch.serve.cli.main import COMMANDS, main

Output = pytest.CaptureFixture[str]


@pytest.fixture
def copy(tiny: Path, tmp_path: Path) -> Path:
    return copy_database(tiny, tmp_path / "copy.db")


@pytest.mark.parametrize(
    ("name", "query"),
    [
        pytest.param("by-signature", "(items: T[], size: number) => T[][]  pkg:toolbox"),
        pytest.param("by-name", "sort  pkg:toolbox"),
        pytest.param("by-facets", "kind:method pkg:toolbox"),
        pytest.param("by-shape", ":: {id: string}  pkg:toolbox"),
        pytest.param("nothing", "chunk pkg:toolbax"),
    ],
)
def test_search_prints_hits(
    name: str, query: str, tiny: Path, golden: Golden, capsys: Output
) -> None:
    code = main(["search", query, "--limit", "4", "--db", str(tiny)])
    out = capsys.readouterr().out
    golden(f"search-{name}.txt", out)
    assert code == (1 if name == "nothing" else 0)
    assert out.startswith("Read as: ")


def test_explain_prints_costs(tiny: Path, golden: Golden, capsys: Output) -> None:
    query = "(size: number, items: T[]) => T[][]  pkg:toolbox"
    assert main(["search", query, "--limit", "1", "--explain", "--db", str(tiny)]) == 0
    golden("search-explain.txt", capsys.readouterr().out)


def test_negated_facets_are_not_read_as_options(tiny: Path, capsys: Output) -> None:
    assert main(["search", "-pkg:deadline", "chunk", "-is:deprecated", "--db", str(tiny)]) == 0
    assert "toolbox#chunk" in capsys.readouterr().out


def test_an_excluded_word_outside_quotes_is_explained(capsys: Output) -> None:
    assert main(["search", "read", "file", "-sync"]) == 2
    error = capsys.readouterr().err
    assert "unrecognized arguments: -sync" in error
    assert "Put a query with excluded words in quotes" in error
    assert main(["search", "read", "--fast"]) == 2
    assert "in quotes" not in capsys.readouterr().err


def test_words_and_options_may_be_mixed(tiny: Path, capsys: Output) -> None:
    assert main(["search", "sort", "--limit", "1", "by", "--db", str(tiny)]) == 0
    assert "toolbox#sortBy" in capsys.readouterr().out


@pytest.mark.parametrize(
    "entry", ["toolbox#filter", "toolbox#User", "toolbox#Level", "toolbox#Lazy"]
)
def test_show_prints_an_entry(entry: str, tiny: Path, golden: Golden, capsys: Output) -> None:
    assert main(["show", entry, "--db", str(tiny)]) == 0
    golden(f"show-{entry.partition('#')[2]}.txt", capsys.readouterr().out)


def test_show_accepts_a_suffix_of_an_id(tiny: Path, capsys: Output) -> None:
    assert main(["show", "groupBy", "--db", str(tiny)]) == 0
    assert capsys.readouterr().out.startswith("toolbox#groupBy\n")


def test_show_lists_the_candidates_of_an_ambiguous_suffix(tiny: Path, capsys: Output) -> None:
    assert main(["show", "push", "--db", str(tiny)]) == 2
    error = capsys.readouterr().err
    assert "toolbox#Queue#push" in error
    assert "Array#push" in error


def test_show_of_an_unknown_id_is_wrong_usage(tiny: Path, capsys: Output) -> None:
    assert main(["show", "no such thing", "--db", str(tiny)]) == 2
    assert "there is no entry 'no such thing'" in capsys.readouterr().err


SWAPPED = "(size: number, items: T[]) => T[][]"


def test_adapt_prints_a_module(tiny: Path, capsys: Output) -> None:
    assert main(["adapt", SWAPPED, "chunk", "--db", str(tiny)]) == 0
    assert capsys.readouterr().out == (
        'import { chunk } from "toolbox";\n\n'
        "export const adapter: <T>(size: number, items: T[]) => T[][] ="
        " (size, items) => chunk(items, size);\n"
    )


def test_a_facet_that_was_given_up_is_exit_code_1(tiny: Path, capsys: Output) -> None:
    assert main(["search", "chunk arity:7", "--db", str(tiny)]) == 1
    assert "Relaxed: no hits with arity:7, so it was left out" in capsys.readouterr().out
    assert main(["search", "chunk arity:7", "--json", "--db", str(tiny)]) == 1
    assert json.loads(capsys.readouterr().out)["left_out"] == ["arity:7"]
    assert main(["search", "chunk arity:7", "--strict", "--db", str(tiny)]) == 1
    output = capsys.readouterr().out
    assert "strict:yes" in output
    assert "no hits" in output


def test_adapt_of_an_entry_that_does_not_fit_is_exit_code_1(tiny: Path, capsys: Output) -> None:
    assert main(["adapt", "(x: RegExp) => Level", "chunk", "--db", str(tiny)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "typematch: toolbox#chunk does not fit this signature\n"


def test_adapt_needs_a_signature(tiny: Path, capsys: Output) -> None:
    assert main(["adapt", "split a list", "chunk", "--db", str(tiny)]) == 2
    assert "the query has no signature" in capsys.readouterr().err


def write_compiler(project: Path, script: str) -> None:
    compiler = project / "node_modules" / "typescript" / "bin" / "tsc"
    compiler.parent.mkdir(parents=True)
    compiler.write_text(script, encoding="utf-8")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize(
    ("script", "code", "message"),
    [
        pytest.param("", 0, "tsc accepts it\n", id="accepted"),
        pytest.param(
            "console.log('adapter.ts(1,1): error TS1: no'); process.exit(2)",
            1,
            "adapter.ts(1,1): error TS1: no\n",
            id="refused",
        ),
        pytest.param(
            "console.log('../a.ts(1,1): error TS1: no\\n  for a reason'); process.exit(2)",
            0,
            "tsc accepts it\n",
            id="other files",
        ),
        pytest.param(
            "const [here, root] = JSON.parse(require('fs').readFileSync('tsconfig.json'))"
            ".compilerOptions.rootDirs; console.log(here, require('path').basename(root));"
            "process.exit(2)",
            1,
            ". shop\n",
            id="relative imports lead from the folder of the package",
        ),
    ],
)
def test_adapt_lets_the_compiler_of_the_project_check(
    script: str,
    code: int,
    message: str,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    write_compiler(tmp_path, script)
    source = tmp_path / "shop" / "src"
    source.mkdir(parents=True)
    (tmp_path / "shop" / "package.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(source)
    assert main(["adapt", SWAPPED, "chunk", "--check", "--db", str(tiny)]) == code
    captured = capsys.readouterr()
    assert captured.out.startswith("import { chunk }")
    assert captured.err == message
    assert list(source.iterdir()) == []


# Answers --showConfig with the options of the file; else says which options it was given.
CONFIGURED = """
const fs = require("fs"), path = require("path");
const project = process.argv[process.argv.indexOf("--project") + 1];
if (process.argv.includes("--showConfig")) {
  console.log(fs.readFileSync(project, "utf-8"));
} else {
  const text = fs.readFileSync(path.join(project, "tsconfig.json"), "utf-8");
  const { strict, moduleResolution, outDir, paths } = JSON.parse(text).compilerOptions;
  const target = path.relative(fs.realpathSync("../.."), paths["@/*"][0]);
  console.log(`error TS1: ${strict} ${moduleResolution} ${outDir} ${target}`);
  process.exit(2);
}
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize("name", ["tsconfig.json", "tsconfig.app.json"])
def test_the_check_of_an_adapter_takes_the_options_of_the_project(
    name: str,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Output,
) -> None:
    write_compiler(tmp_path, CONFIGURED)
    source = tmp_path / "src"
    source.mkdir()
    references = {"files": [], "references": [{"path": "./tsconfig.app.json"}]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(references), encoding="utf-8")
    options = {
        "strict": False,
        "moduleResolution": "nodenext",
        "outDir": "dist",
        "paths": {"@/*": ["./src/*"]},
    }
    (tmp_path / name).write_text(json.dumps({"compilerOptions": options}), encoding="utf-8")
    monkeypatch.chdir(source)
    assert main(["adapt", SWAPPED, "chunk", "--check", "--db", str(tiny)]) == 1
    assert capsys.readouterr().err == "error TS1: false nodenext undefined src/*\n"


def test_adapt_without_a_compiler_says_how_to_get_one(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["adapt", SWAPPED, "chunk", "--check", "--db", str(tiny)]) == 3
    assert "npm install --save-dev typescript" in capsys.readouterr().err


def test_compose_prints_modules(tiny: Path, capsys: Output) -> None:
    query = "(items: string[], size: number) => Queue<string[]>  pkg:toolbox"
    assert main(["compose", query, "--limit", "1", "--db", str(tiny)]) == 0
    captured = capsys.readouterr()
    assert captured.out == (
        "// 1. cost 116: toolbox#chunk, then toolbox#Queue#constructor\n"
        'import { Queue, chunk } from "toolbox";\n\n'
        "export const pipeline: (items: string[], size: number) => Queue<string[]> ="
        " (items, size) => {\n"
        "  const result = chunk(items, size);\n"
        "  return new Queue(result);\n"
        "};\n"
    )


def test_compose_without_a_pipeline_is_exit_code_1(tiny: Path, capsys: Output) -> None:
    assert main(["compose", "(x: symbol) => WeakKey  pkg:toolbox", "--db", str(tiny)]) == 1
    assert "no pipeline of two or three calls has this signature" in capsys.readouterr().err


def test_compose_refuses_a_result_that_says_nothing(tiny: Path, capsys: Output) -> None:
    assert main(["compose", "(x: string) => unknown", "--db", str(tiny)]) == 2
    assert "every function gives a value of this result type" in capsys.readouterr().err


def test_search_prints_adapters_on_request(tiny: Path, capsys: Output) -> None:
    words = ["search", f"{SWAPPED}  pkg:toolbox", "--limit", "1", "--db", str(tiny)]
    assert main([*words, "--adapt"]) == 0
    assert "    (size, items) => chunk(items, size)\n" in capsys.readouterr().out
    assert main(words) == 0
    assert "=> chunk" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "format_name"),
    [
        pytest.param(["search", "chunk"], "search"),
        pytest.param(["show", "chunk"], "entry"),
        pytest.param(["adapt", SWAPPED, "chunk"], "adapter"),
        pytest.param(["compose", "(items: number[]) => Queue<number>"], "composition"),
        pytest.param(["stats"], "stats"),
        pytest.param(["facets", "pkg:toolbox"], "facets"),
        pytest.param(["entries", "--package", "toolbox"], "entries"),
    ],
)
def test_json_is_the_wire_format(
    words: list[str], format_name: str, tiny: Path, capsys: Output
) -> None:
    assert main([*words, "--json", "--db", str(tiny)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == f"typematch.{format_name}/1"


def test_stats_lists_packages(tiny: Path, capsys: Output) -> None:
    assert main(["stats", "--db", str(tiny)]) == 0
    out = capsys.readouterr().out
    assert "toolbox 1.2.0" in out
    assert "deadline 0.3.1" in out


def test_facets_counts_values(tiny: Path, golden: Golden, capsys: Output) -> None:
    assert main(["facets", "pkg:toolbox,deadline", "--db", str(tiny)]) == 0
    golden("facets.txt", capsys.readouterr().out)


def test_facets_without_hits_say_so(tiny: Path, capsys: Output) -> None:
    assert main(["facets", "pkg:nothing", "--db", str(tiny)]) == 1
    assert capsys.readouterr() == ("", "typematch: no hits\n")


def test_entries_are_sorted_by_id(tiny: Path, golden: Golden, capsys: Output) -> None:
    assert main(["entries", "--package", "deadline", "--db", str(tiny)]) == 0
    out = capsys.readouterr().out
    golden("entries.txt", out)
    ids = [line.split("  ")[0] for line in out.splitlines()]
    assert ids == sorted(ids)


def test_remove_deletes_a_package(copy: Path, capsys: Output) -> None:
    assert main(["remove", "deadline", "--db", str(copy)]) == 0
    assert capsys.readouterr().out.startswith("removed deadline: ")
    assert main(["entries", "--package", "deadline", "--db", str(copy)]) == 1
    assert "no package here is called deadline" in capsys.readouterr().err
    assert main(["remove", "deadline", "--db", str(copy)]) == 1


def test_export_writes_a_searchable_copy(tiny: Path, tmp_path: Path, capsys: Output) -> None:
    target = tmp_path / "shipped.db"
    assert main(["export", str(target), "--db", str(tiny)]) == 0
    assert main(["search", "chunk", "--db", str(target)]) == 0
    capsys.readouterr()
    assert main(["export", str(target), "--db", str(tiny)]) == 2
    assert "the file exists already" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="names are text on other systems")
def test_a_database_may_have_a_name_that_is_not_utf8(tmp_path: Path, capsys: Output) -> None:
    made, copied = str(tmp_path / "a?%#\udcff.db"), str(tmp_path / "b?%#\udcff.db")
    words = ["index", str(FIXTURES / "deadline"), "--no-vectors", "--db", made]
    assert main(words) == 0
    assert main(["export", copied, "--db", made]) == 0
    assert main(["search", "debounce", "--db", copied]) == 0
    assert "deadline#debounce" in capsys.readouterr().out


def test_index_prints_a_report(tmp_path: Path, golden: Golden, capsys: Output) -> None:
    database = tmp_path / "new.db"
    words = ["index", str(FIXTURES / "deadline"), "--db", str(database)]
    assert main(words) == 0
    first = capsys.readouterr().out.replace(str(database), "new.db")
    assert main(words) == 0
    second = capsys.readouterr().out.replace(str(database), "new.db")
    golden("index.txt", f"{first}--- and again\n{second}")


def test_indexing_a_missing_path_is_wrong_usage(tmp_path: Path, capsys: Output) -> None:
    assert main(["index", str(tmp_path / "nowhere"), "--db", str(tmp_path / "a.db")]) == 2
    assert "nowhere" in capsys.readouterr().err


WITHOUT_A_DATABASE = ("index", "watch", "relate", "costs", "doctor", "completion")


@pytest.mark.parametrize("command", [v for v in COMMANDS if v not in WITHOUT_A_DATABASE])
def test_a_missing_database_is_exit_code_3(command: str, tmp_path: Path, capsys: Output) -> None:
    words = {
        "search": ["x"],
        "show": ["x"],
        "adapt": ["(x: string) => string", "x"],
        "compose": ["(x: string) => string"],
        "remove": ["x"],
        "export": ["x"],
        "discover": ["x"],
    }.get(command, [])
    words = ["--like", "x.ts"] if command == "match" else words
    assert main([command, *words, "--db", str(tmp_path / "none.db")]) == 3
    error = capsys.readouterr().err
    assert "there is no database here" in error
    assert "typematch index" in error


def test_an_invalid_database_is_exit_code_3(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("these are my notes, and they are no database at all\n" * 20)
    assert main(["search", "x", "--db", str(file)]) == 3
    assert "not a typematch database" in capsys.readouterr().err


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("", id="empty"),
        pytest.param("(string => number", id="syntax error"),
        pytest.param("x" * 1_000_000, id="too long"),
        pytest.param("knd:method", id="unknown facet"),
    ],
)
def test_a_bad_query_is_exit_code_2(query: str, tiny: Path, capsys: Output) -> None:
    assert main(["search", query, "--db", str(tiny)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("typematch: ")
    assert len(error) < 2000


def test_an_interrupt_is_reported_with_exit_code_130(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Catalog, "search", interrupted)
    assert main(["search", "x", "--db", str(tiny)]) == 130
    assert "finished work is kept" in capsys.readouterr().err


def test_a_closed_pipe_is_not_an_error(tiny: Path) -> None:
    command = [sys.executable, "-m", "typematch", "entries", "--db", str(tiny)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


def test_show_follows_type_references(tiny: Path, golden: Golden, capsys: Output) -> None:
    assert main(["show", "toolbox#Team", "--depth", "2", "--db", str(tiny)]) == 0
    golden("show-depth.txt", capsys.readouterr().out)
    words = ["show", "toolbox#Team", "--depth", "all", "--max-tokens", "1", "--json"]
    assert main([*words, "--db", str(tiny)]) == 0
    references = json.loads(capsys.readouterr().out)["references"]
    assert (references["declarations"], references["omitted"], references["depth"]) == ([], 1, None)


def test_match_prints_every_method(tmp_path: Path, golden: Golden, capsys: Output) -> None:
    database = str(tmp_path / "typematch.db")
    stores, needed = FIXTURES / "stores", FIXTURES / "required_interfaces" / "key-value.ts"
    assert main(["index", str(stores), "--no-vectors", "--db", database]) == 0
    capsys.readouterr()
    assert main(["match", "--like", str(needed), "--db", database]) == 0
    golden("match.txt", capsys.readouterr().out)
    assert main(["match", "--like", str(needed), "--json", "--db", database]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "typematch.match/1"
    [interface] = document["interfaces"]
    assert [implementation["id"] for implementation in interface["implementations"]][
        -1
    ] == "stores#RemoteCache"


def test_hits_of_a_multi_clause_query_are_grouped(
    tmp_path: Path, golden: Golden, capsys: Output
) -> None:
    database = str(tmp_path / "typematch.db")
    assert main(["index", str(FIXTURES / "musicbox"), "--db", database]) == 0
    capsys.readouterr()
    request = "list my playlists, then add a song to the first"
    words = ["search", request, "--limit", "4", "--services", "1", "--db", database]
    assert main(words) == 0
    golden("search-grouped.txt", capsys.readouterr().out)


def test_an_unknown_id_gets_suggestions(tiny: Path, capsys: Output) -> None:
    assert main(["show", "toolbox#chunkk", "--db", str(tiny)]) == 2
    assert capsys.readouterr().err.splitlines()[1] == "Did you mean toolbox#chunk?"
    assert main(["show", "zzzzzzzz", "--db", str(tiny)]) == 2
    assert "typematch search NAME" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "error", "column", "code"),
    [
        (["search", "(string -> number"], "QuerySyntaxError", 8, 2),
        (["show", "chunkk"], "NoEntryError", None, 2),
    ],
)
def test_errors_are_json_with_json(
    arguments: list[str], error: str, column: int | None, code: int, tiny: Path, capsys: Output
) -> None:
    assert main([*arguments, "--json", "--db", str(tiny)]) == code
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert captured.err == ""
    assert (document["format"], document["error"]) == ("typematch.error/1", error)
    assert (document["column"], document["exit_code"]) == (column, code)
    assert document["what"]
    assert document["hint"]


@pytest.mark.parametrize(
    ("arguments", "what", "hint"),
    [
        (["serch", "x"], "there is no command 'serch'", "Did you mean: typematch search"),
        (["--db", "x.db"], "there is no command after the options", "The commands are "),
        (["search", "--limit", "x"], "argument --limit: expected", "usage: typematch search "),
        (["search", "x", "-sync"], "unrecognized arguments: -sync", "in quotes"),
        (["stats", "--wat"], "unrecognized arguments: --wat", "usage: typematch stats "),
        (["show"], "the following arguments are required: ", "usage: typematch show "),
    ],
)
def test_wrong_usage_is_json_with_json(
    arguments: list[str], what: str, hint: str, capsys: Output
) -> None:
    assert main([*arguments, "--json"]) == 2
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert captured.err == ""
    assert (document["error"], document["exit_code"]) == ("UsageError", 2)
    assert what in document["what"]
    assert hint in document["hint"]


def test_a_failed_index_leaves_no_new_database(tmp_path: Path, capsys: Output) -> None:
    database = tmp_path / "new.db"
    assert main(["index", str(tmp_path / "none"), "--db", str(database)]) == 2
    assert list(tmp_path.iterdir()) == []
    untyped = tmp_path / "node_modules" / "untyped"
    untyped.mkdir(parents=True)
    (untyped / "package.json").write_text('{"name": "untyped", "version": "1.0.0"}')
    assert main(["index", str(untyped), "--db", str(database)]) == 3
    assert not database.exists()
    (tmp_path / "code.ts").write_text("export const x = 1")
    assert main(["index", str(tmp_path / "code.ts"), "--no-vectors", "--db", str(database)]) == 0
    assert main(["index", str(tmp_path / "none"), "--db", str(database)]) == 2
    assert database.exists()
    assert "there is no such file" in capsys.readouterr().err


def test_an_index_that_fails_later_keeps_what_is_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Catalog.add

    def interrupted(catalog: Catalog, *paths: str, **options: Any) -> None:
        add(catalog, *paths, **options)
        raise WorkerError

    monkeypatch.setattr(Catalog, "add", interrupted)
    database = tmp_path / "new.db"
    words = ["index", str(FIXTURES / "deadline"), "--no-vectors", "--db", str(database)]
    assert main(words) == 3
    assert main(["search", "debounce", "--db", str(database)]) == 0


def test_a_second_index_names_what_the_database_has(tmp_path: Path, capsys: Output) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.ts").write_text(f"export const {name} = 1")
        options = ["--no-vectors", "--db", str(tmp_path / "new.db")]
        assert main(["index", str(tmp_path / name), *options]) == 0
    first, _, second = capsys.readouterr().out.partition("new.db: ")[2].partition("new.db: ")
    assert "earlier runs" not in first
    assert "with earlier runs: " in second


def test_relate_uses_the_database_of_the_folder(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output
) -> None:
    monkeypatch.delenv("TYPEMATCH_DB", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["relate", "Team", "{ id: string }"]) == 1
    assert capsys.readouterr().out == "undecided: nothing declares Team\n"
    monkeypatch.chdir(tiny.parent)
    assert main(["relate", "Team", "{ id: string }"]) == 0
    assert main(["relate", "Teem", "{ id: string }"]) == 1
    assert capsys.readouterr().out == "yes\nundecided: nothing declares Teem\n"
