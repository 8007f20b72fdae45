"""A catalog on a real PostgreSQL server: commands, errors, roles, copies."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import traceback
from contextlib import closing
from pathlib import Path

import pytest

import typematch
from conftest import FIXTURES
from databases import Server
from typematch.config import location_of
from typematch.errors import (
    DatabaseError,
    NotADatabaseError,
    ReadOnlyError,
    WrongVersionError,
)
from typematch.index.dump import dump
from typematch.index.engines import locations
from typematch.index.engines.postgres import PostgresDatabase
from typematch.index.entries.selection import EVERYTHING
from typematch.index.text.text_fields import Enrichment
from typematch.serve.cli.main import main

Output = pytest.CaptureFixture[str]
PASSWORD = "s3cret/#?@:%'\" word"


@pytest.fixture(scope="module")
def filled(server: Server) -> str:
    """A catalog of the fixture toolbox; tests must not write to it."""
    url = server.url("filled")
    with typematch.open(url) as catalog:
        catalog.add(FIXTURES / "toolbox", FIXTURES / "petshop", model=None)
    return url


@pytest.fixture(scope="module")
def roles(server: Server, filled: str) -> Server:  # noqa: ARG001
    """The server with the roles ``searcher``, who may read ``filled``, and ``stranger``."""
    for name in ("searcher", "stranger"):
        server.execute(f"CREATE ROLE {name} LOGIN")
        server.require_password(name, PASSWORD.replace("'", "''"))
    server.execute(
        "GRANT USAGE ON SCHEMA filled TO searcher",
        "GRANT SELECT ON ALL TABLES IN SCHEMA filled TO searcher",
    )
    return server


def dumped(location: str | Path) -> list[str]:
    with closing(locations.open_for_reading(location_of(location))) as database:
        return dump(database)


def fails(command: list[str], capsys: Output, *, code: int = 3) -> str:
    """Return what a command that fails prints."""
    capsys.readouterr()
    assert main(command) == code
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.out + captured.err


# Commands -----------------------------------------------------------------------------------------


def test_every_command_takes_the_address_of_a_server(server: Server, capsys: Output) -> None:
    url = server.url("commands")
    toolbox = str(FIXTURES / "toolbox")
    assert main(["index", toolbox, "--db", url, "--no-vectors"]) == 0
    for command, expected in (
        (["search", "(items: T[], size: number) => T[][]  pkg:toolbox"], "toolbox#chunk"),
        (["show", "chunk"], "Split an array"),
        (["stats"], "schema=commands"),
        (["doctor"], "intact, PostgreSQL "),
        (["facets", "pkg:toolbox"], "kind:function"),
        (["entries"], "toolbox#chunk"),
        (["remove", "toolbox"], "toolbox"),
    ):
        capsys.readouterr()
        assert main([*command, "--db", url]) == 0, command
        assert expected in capsys.readouterr().out
    assert main(["search", "chunk pkg:toolbox", "--db", url]) == 1


def test_the_address_may_be_in_the_environment(
    filled: str, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setenv("TYPEMATCH_DB", filled)
    assert main(["show", "toolbox#chunk"]) == 0
    assert "Split an array" in capsys.readouterr().out


def test_agents_are_served_from_a_server(filled: str) -> None:
    requests: list[dict[str, object]] = [
        {"method": "initialize", "id": 1, "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }},
        {"method": "notifications/initialized"},
        {"method": "tools/call", "id": 2, "params": {
            "name": "search", "arguments": {"query": "chunk pkg:toolbox", "limit": 1},
        }},
    ]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "typematch", "mcp", "--db", filled],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for request in requests:
            print(json.dumps({"jsonrpc": "2.0", **request}), file=process.stdin, flush=True)
        answers = [process.stdout.readline() for _ in range(2)]
        process.stdin.close()
    assert "toolbox#chunk" in answers[1]


def test_equal_catalogs_have_equal_dumps(filled: str, tmp_path: Path) -> None:
    with typematch.open(tmp_path / "t.db") as catalog:
        catalog.add(FIXTURES / "toolbox", FIXTURES / "petshop", model=None)
    assert dumped(filled) == dumped(tmp_path / "t.db")


def test_no_extension_of_the_server_is_needed(server: Server, filled: str) -> None:
    with typematch.open(filled, create=False) as catalog:
        assert catalog.search("split a list", limit=1).hits
    assert server.execute("SELECT extname::text FROM pg_extension") == [("plpgsql",)]


# Addresses and passwords --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown", "schema"),
    [
        ("postgresql://h/d", "postgresql://h/d", "typematch"),
        ("postgres://u@h:5/d?schema=a", "postgres://u@h:5/d?schema=a", "a"),
        ("postgresql://u:pw@h/d", "postgresql://u@h/d", "typematch"),
        ("postgresql://u:p@w#/?@h/d", "postgresql://u@h/d", "typematch"),
        ("postgresql://h/d?password=pw&user=u", "postgresql://h/d?user=u", "typematch"),
        ("postgresql:///d?host=/tmp/x", "postgresql:///d?host=/tmp/x", "typematch"),
    ],
)
def test_addresses_are_shown_without_a_password(text: str, shown: str, schema: str) -> None:
    location = location_of(text)
    assert not isinstance(location, Path)
    assert (str(location), location.schema) == (shown, schema)
    assert "pw" not in repr(location)


def test_a_wrong_password_is_not_shown(roles: Server, capsys: Output) -> None:
    wrong = PASSWORD + "2"
    url = roles.url("filled", user="searcher", password=wrong)
    printed = fails(["search", "chunk", "--db", url], capsys)
    assert "the server refused the user or the password" in printed
    assert "PGPASSWORD or ~/.pgpass" in printed
    document = fails(["stats", "--json", "--db", url], capsys)
    with pytest.raises(DatabaseError) as caught:
        typematch.open(url, create=False)
    text = io.StringIO()
    traceback.print_exception(caught.value, file=text)
    for shown in (printed, document, text.getvalue(), repr(caught.value)):
        assert "s3cret" not in shown


def test_a_password_may_have_any_sign(roles: Server) -> None:
    url = roles.url("filled", user="searcher", password=PASSWORD)
    with typematch.open(url, create=False) as catalog:
        assert catalog.get("chunk").package == "toolbox"
        assert "s3cret" not in f"{catalog.path} {catalog.path!r}"


def test_a_database_name_with_quotes(server: Server) -> None:
    server.execute('CREATE DATABASE "it\'s ""odd"""')
    url = server.url("quote\"d 'too'", database='it\'s "odd"')
    with typematch.open(url) as catalog:
        catalog.add(FIXTURES / "toolbox", model=None)
        assert catalog.search("chunk", limit=1).hits[0].entry.id == "toolbox#chunk"
    assert main(["doctor", "--db", url]) == 0


# Errors -------------------------------------------------------------------------------------------


def test_a_server_that_is_down(capsys: Output) -> None:
    printed = fails(["search", "x", "--db", "postgresql://u:s3cret@127.0.0.1:1/x"], capsys)
    assert "typematch: postgresql://u@127.0.0.1:1/x: the server cannot be reached" in printed
    assert "pg_isready" in printed
    assert "s3cret" not in printed


def test_a_missing_database_or_schema(server: Server, capsys: Output) -> None:
    assert "createdb" in fails(["stats", "--db", server.url("x", database="none")], capsys)
    missing = fails(["stats", "--db", server.url("none")], capsys)
    assert "there is no database here" in missing


def test_a_missing_driver_names_the_extra() -> None:
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from typematch.serve.cli.main import main\n"
        "raise SystemExit(main(['stats', '--db', 'postgresql://h/d']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 3
    assert "pip install 'typematch[postgres]'" in done.stderr


def test_another_version_is_rebuilt(server: Server, capsys: Output) -> None:
    url = server.url("older")
    typematch.open(url).close()
    server.execute("UPDATE older.meta SET value = '7' WHERE name = 'stamp'")
    for opened in (locations.open_for_reading, locations.open_for_writing):
        with pytest.raises(WrongVersionError, match='DROP SCHEMA "older" CASCADE'):
            opened(location_of(url))
    fails(["index", str(FIXTURES / "toolbox"), "--db", url], capsys)


def test_a_schema_of_another_program(server: Server) -> None:
    server.execute("CREATE SCHEMA other", "CREATE TABLE other.meta (name text, value text)")
    with pytest.raises(NotADatabaseError):
        locations.open_for_writing(location_of(server.url("other")))


def test_a_reader_cannot_write(roles: Server, capsys: Output) -> None:
    url = roles.url("filled", user="searcher", password=PASSWORD)
    printed = fails(["index", str(FIXTURES / "deadline"), "--db", url], capsys)
    assert "the database cannot be written (permission denied for table entry)" in printed
    with typematch.open(url, create=False) as catalog:
        with pytest.raises(ReadOnlyError, match="Searches work"):
            catalog.remove("toolbox")
        assert catalog.search("chunk", limit=1).hits
    fresh = roles.url("new", user="searcher", password=PASSWORD)
    assert "cannot be written" in fails(
        ["index", str(FIXTURES / "deadline"), "--db", fresh], capsys
    )


def test_a_role_without_rights(roles: Server, capsys: Output) -> None:
    url = roles.url("filled", user="stranger", password=PASSWORD)
    printed = fails(["search", "chunk", "--db", url], capsys)
    assert "the role may not read the catalog" in printed
    assert "GRANT SELECT ON ALL TABLES" in printed


def test_a_statement_timeout(filled: str) -> None:
    url = f"{filled}&options=-c%20statement_timeout%3D500"
    with closing(locations.open_for_reading(location_of(url))) as database:
        with pytest.raises(DatabaseError, match="cancelled a statement") as caught:
            database.query("SELECT count(*) FROM pg_sleep(5)")
        assert "statement_timeout" in caught.value.hint


def test_a_full_disk_loses_nothing_that_was_committed(server: Server) -> None:
    url, fresh = server.url("full"), server.url("full_fresh")
    for location in (url, fresh):
        with typematch.open(location) as catalog:
            catalog.add(FIXTURES / "toolbox", model=None)
    server.execute(
        "CREATE FUNCTION public.full_disk() RETURNS trigger LANGUAGE plpgsql AS "
        "$$BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END$$",
        'CREATE TRIGGER full_disk BEFORE INSERT ON "full".doc '
        "FOR EACH ROW EXECUTE FUNCTION public.full_disk()",
    )
    with typematch.open(url) as catalog:
        with pytest.raises(DatabaseError, match="no space is left on the server's disk"):
            catalog.add(FIXTURES / "deadline", model=None)
        assert not list(catalog.entries("deadline"))
    server.execute('DROP TRIGGER full_disk ON "full".doc')
    for location in (url, fresh):
        with typematch.open(location) as catalog:
            catalog.add(FIXTURES / "deadline", model=None)
    assert dumped(url) == dumped(fresh)


# Lost connections ---------------------------------------------------------------------------------


def test_a_search_after_a_restart_connects_again(server: Server, filled: str) -> None:
    with typematch.open(f"{filled}&application_name=restarted", create=False) as catalog:
        first = [hit.entry.id for hit in catalog.search("chunk")]
        server.end_connections("restarted")
        assert [hit.entry.id for hit in catalog.search("chunk")] == first


def test_a_snapshot_does_not_go_on_in_another_connection(server: Server, filled: str) -> None:
    with typematch.open(f"{filled}&application_name=snapshot", create=False) as catalog:

        def lose_it_between_two_reads() -> None:
            with catalog.snapshot():
                catalog.get("chunk")
                server.end_connections("snapshot")
                catalog.get("chunk")

        with pytest.raises(DatabaseError, match="connection to the server was lost"):
            lose_it_between_two_reads()
        assert catalog.get("chunk").name == "chunk"


def test_a_connection_lost_while_indexing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, url = server.url("lost_fresh"), server.url("lost") + "&application_name=lost"
    with typematch.open(fresh) as catalog:
        catalog.add(FIXTURES / "toolbox", FIXTURES / "deadline", model=None)
    insert = PostgresDatabase.insert_rows
    calls = 0

    def insert_until_lost(database: PostgresDatabase, *args: object, **options: bool) -> None:
        nonlocal calls
        calls += 1
        if calls % 40 == 0:
            server.end_connections("lost")
        insert(database, *args, **options)  # type: ignore[arg-type]

    errors: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(PostgresDatabase, "insert_rows", insert_until_lost)
        while True:
            try:
                with typematch.open(url) as catalog:
                    catalog.add(FIXTURES / "toolbox", FIXTURES / "deadline", model=None)
                break
            except DatabaseError as error:
                errors.append(str(error))
    assert errors
    for message in errors:
        assert "the connection to the server was lost" in message
        assert "committed so far is kept" in message
    assert dumped(url) == dumped(fresh)


# Copies -------------------------------------------------------------------------------------------


def test_a_catalog_is_copied_to_a_file_and_back(
    server: Server, tmp_path: Path, capsys: Output
) -> None:
    first, second, file = server.url("from"), server.url("to"), tmp_path / "copy.db"
    with typematch.open(first) as catalog:
        catalog.add(FIXTURES / "toolbox", FIXTURES / "petshop")
        store = catalog._store
        inputs = list(store.enrichment_inputs(EVERYTHING))[:5]
        with store.writing() as writer:
            told = {
                item.digest: Enrichment("Does it.", ("How is it done?",), "(a) => b")
                for item in inputs
            }
            assert writer.write_enrichments(told, "some-model") >= 5
        catalog.add(FIXTURES / "toolbox")
    assert main(["export", str(file), "--db", first]) == 0
    assert main(["export", second, "--db", str(file), "--json"]) == 0
    assert dumped(first) == dumped(file) == dumped(second)
    for query in ("chunk", "how is it done", "(items: T[]) => T", "adopt an animal"):
        answers = []
        for location in (first, str(file), second):
            with typematch.open(location, create=False) as catalog:
                answers.append([(hit.entry.id, hit.cost) for hit in catalog.search(query)])
        assert answers[0] == answers[1] == answers[2]
    for target in (str(file), second):
        assert "already" in fails(["export", target, "--db", first], capsys, code=2)
    with typematch.open(second) as catalog:  # the copy can be written
        catalog.add(FIXTURES / "deadline")
        assert catalog.search("wait with a time limit pkg:deadline").hits
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]
