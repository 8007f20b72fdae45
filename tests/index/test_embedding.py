"""Embedding models: vectors, identity, texts of entries, endpoints."""

from __future__ import annotations

import hashlib
import json
import pickle
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.catalog import Catalog
from typematch.index.engines import locations
from typematch.index.vectors.bundled_model import FOLDER, BundledModel
from typematch.index.vectors.embedding import (
    BUNDLED,
    MODEL_VARIABLE,
    EmbeddingError,
    ModelIdentity,
    WrongModelError,
    entry_text,
    open_embedder,
    open_stored_embedder,
)
from typematch.serve.cli.main import main

FIXTURES = Path(__file__).parents[2] / "fixtures"
MODEL = BundledModel()
ENTRIES = {
    "chunk": entry_text("chunk", "", "<T>(items: T[], size: number) => T[][]"),
    "retry": entry_text("retry", "", "<T>(task: () => Promise<T>, times: number) => Promise<T>"),
    "capitalize": entry_text("capitalize", "", "(text: string) => string"),
    "readFile": entry_text("readFile", "fs", "(path: string) => Promise<Buffer>"),
    "addDays": entry_text("addDays", "", "(date: Date, amount: number) => Date"),
}
TEXTS = [
    *ENTRIES.values(),
    "getUserById",
    "a\n\n\nonly prose, in the fourth line\nand a fifth one",
    "",
    " \n ",
    "日本語 😀",
    "x" * 300,
    "many words " * 600,
    "\x00\t-- ' \" *",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("split a list into batches", "chunk", id="no word in common"),
        pytest.param("run again when a promise fails", "retry", id="paraphrase"),
        pytest.param("make the first letter upper case", "capitalize", id="one word for many"),
        pytest.param("load the contents of a file from disk", "readFile", id="file"),
        pytest.param("move a date forward by some days", "addDays", id="date"),
    ],
)
def test_a_sentence_is_nearest_to_the_function_it_describes(query: str, expected: str) -> None:
    scores = MODEL.embed(list(ENTRIES.values())) @ MODEL.embed_query(query)
    assert list(ENTRIES)[int(scores.argmax())] == expected


def test_vectors_are_unit_vectors_or_zero() -> None:
    length = np.linalg.norm(MODEL.embed(TEXTS), axis=1)
    wordless = [not any(c.isascii() and c.isalnum() for c in text) for text in TEXTS]
    for text, norm, empty in zip(TEXTS, length, wordless, strict=True):
        if empty:
            assert norm == 0, text
        elif text != "x" * 300:  # one word too long to be read
            assert norm == pytest.approx(1, abs=1e-5), text


def test_a_text_has_the_same_vector_alone_and_among_others() -> None:
    batch = MODEL.embed(TEXTS)
    alone = np.concatenate([MODEL.embed([text]) for text in TEXTS])
    assert np.abs(batch - alone).max() < 1e-6


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_embedded(text: str, other: str) -> None:
    vectors = MODEL.embed([text, other])
    assert np.isfinite(vectors).all()
    assert np.isfinite(MODEL.embed_query(text + "\ud800")).all()


def test_vectors_of_several_batches_are_in_the_order_of_the_texts() -> None:
    texts = [f"word {number}" for number in range(1_200)]
    vectors = MODEL.embed(texts)
    assert vectors.shape == (1_200, MODEL.identity.dimension)
    assert np.abs(vectors[1_100] - MODEL.embed([texts[1_100]])[0]).max() < 1e-6


def test_no_texts_give_no_vectors() -> None:
    assert MODEL.embed([]).shape == (0, MODEL.identity.dimension)


def test_line_breaks_in_a_query_do_not_count() -> None:
    assert np.array_equal(MODEL.embed_query("split\na list"), MODEL.embed_query("split a list"))


def test_identifiers_are_split_at_capitals() -> None:
    assert np.array_equal(MODEL.embed_query("getUserById"), MODEL.embed_query("get user by id"))


@pytest.mark.slow
def test_fastembed_computes_the_same_vectors_from_the_model_folder() -> None:
    other = open_embedder(FOLDER)
    assert np.abs(MODEL.embed(TEXTS) - other.embed(TEXTS)).max() < 1e-3
    for query in ("split a list into batches", "retry"):
        assert np.abs(MODEL.embed_query(query) - other.embed_query(query)).max() < 1e-3
    assert other.embed([]).shape == (0, MODEL.identity.dimension)
    assert other.identity.dimension == MODEL.identity.dimension


def test_the_bundled_model_is_the_default_and_small() -> None:
    assert open_embedder().identity == open_embedder(BUNDLED).identity == MODEL.identity
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 16 * 2**20


def test_the_digest_covers_the_model_files() -> None:
    settings = json.loads((FOLDER / "config.json").read_text(encoding="utf-8"))["typematch"]
    recorded = settings.pop("digest")
    files = (FOLDER / "vectors.bin").read_bytes() + (FOLDER / "tokenizer.json").read_bytes()
    digest = hashlib.sha256(files + json.dumps(settings).encode()).hexdigest()
    assert MODEL.identity.digest == recorded == digest


def test_a_query_does_not_import_fastembed() -> None:
    import subprocess
    import sys

    program = (
        "import sys; from typematch.index.vectors.embedding import open_embedder; "
        "open_embedder().embed_query('chunk'); "
        "assert not {'fastembed', 'onnxruntime', 'sqlalchemy'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# Model folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "model"))


@pytest.mark.parametrize("file", ["vectors.bin", "config.json", "tokenizer.json"])
def test_a_missing_or_damaged_file_of_the_bundled_model_is_named(folder: Path, file: str) -> None:
    path = folder / file
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(EmbeddingError, match="cannot be read"):
        BundledModel(folder)
    path.unlink()
    with pytest.raises(EmbeddingError) as caught:
        BundledModel(folder)
    assert str(folder) in str(caught.value)
    assert "Install typematch again" in str(caught.value)


def test_the_error_for_an_incomplete_model_folder_lists_the_missing_files(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(EmbeddingError, match=r"has no model\.onnx, tokenizer_config\.json"):
        open_embedder(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "vectors.bin"])
def test_a_damaged_folder_cannot_be_loaded(folder: Path, file: str) -> None:
    (folder / file).write_bytes(b"damaged")
    with pytest.raises(EmbeddingError, match="cannot be loaded") as caught:
        open_embedder(folder)
    assert str(folder) in str(caught.value)


@pytest.mark.slow
def test_an_unknown_model_name_is_an_error() -> None:
    with pytest.raises(EmbeddingError, match="there is no such model"):
        open_embedder("nobody/nothing")


# Identity


def test_the_error_for_another_model_names_both_models() -> None:
    stored = ModelIdentity("BAAI/bge-small-en-v1.5", 384, "0" * 64)
    MODEL.identity.check(MODEL.identity)
    with pytest.raises(WrongModelError) as caught:
        MODEL.identity.check(stored)
    assert "made by BAAI/bge-small-en-v1.5 (384 dimensions" in str(caught.value)
    assert MODEL_VARIABLE in str(caught.value)
    assert f"--model {BUNDLED}" in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_models_with_equal_digests_are_equal_under_any_name() -> None:
    here = MODEL.identity
    here.check(ModelIdentity("elsewhere", here.dimension, here.digest))


# Entry texts


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(("chunk",), "chunk", id="only a name"),
        pytest.param(("map", "Array", "(f: F)\n  => T"), "map\nArray\n(f: F) => T", id="folded"),
        pytest.param(
            ("a", "", "", "Prose.\n\nMore."), "a\n\n\nProse. More.", id="empty lines are kept"
        ),
    ],
)
def test_entry_text(parts: tuple[str, ...], expected: str) -> None:
    assert entry_text(*parts) == expected


# Endpoints


class _Server(BaseHTTPRequestHandler):
    """Answers ``answers[path]``, a status and a body, or else vectors of the texts' lengths.

    Status 0: the body is the whole reply.
    """

    answers: dict[str, tuple[int, bytes]] = {}  # noqa: RUF012
    keys: list[str] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.keys.append(self.headers.get("Authorization", ""))
        rows = [
            {"index": index, "embedding": [len(text), 1.0]}
            for index, text in enumerate(body["input"])
        ]
        default = (200, json.dumps({"data": rows[::-1]}).encode())
        status, reply = self.answers.get(self.path, default)
        if status:
            self.send_response(status)
            self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    _Server.answers, _Server.keys = {}, []
    with HTTPServer(("127.0.0.1", 0), _Server) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def test_an_endpoint_returns_unit_vectors_in_order(url: str) -> None:
    embedder = open_embedder(f"some-model@{url}", key="secret")
    texts = ["a" * length for length in range(1, 150)]
    vectors = embedder.embed(texts)
    assert vectors.shape == (149, 2)
    assert np.allclose(vectors[:, 0] / vectors[:, 1], range(1, 150))
    assert embedder.embed_query("abc").shape == (2,)
    assert embedder.identity.name == "some-model"  # files are passed on, addresses are not
    assert embedder.identity.is_of_endpoint
    assert set(_Server.keys) == {"Bearer secret"}


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        pytest.param(401, b"who are you", "key is missing or rejected", id="no key"),
        pytest.param(404, b"no such model", "HTTP 404: no such model", id="no model"),
        pytest.param(200, b"<html>", "not JSON", id="a web page"),
        pytest.param(200, b"[]", "unexpected reply", id="another format"),
        pytest.param(200, b'{"data": []}', "0 vectors for 1 texts", id="too few"),
        pytest.param(
            200, b'{"data": [{"index": 0, "embedding": ["x"]}]}', "unexpected", id="words"
        ),
        pytest.param(200, b'{"data": [{"index": 0, "embedding": [NaN]}]}', "numbers", id="nan"),
        pytest.param(0, b"garbage\r\n", "not HTTP", id="no HTTP"),
        pytest.param(0, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", "not HTTP", id="cut off"),
    ],
)
def test_errors_of_an_endpoint_are_reported(
    url: str, status: int, body: bytes, expected: str
) -> None:
    _Server.answers = {"/v1/embeddings": (status, body)}
    with pytest.raises(EmbeddingError) as caught:
        open_embedder(f"some-model@{url}")
    assert expected in str(caught.value)
    assert f"some-model@{url}/embeddings" in str(caught.value)


def test_an_unreachable_endpoint_is_reported() -> None:
    with pytest.raises(EmbeddingError, match="no reply") as caught:
        open_embedder("m@http://127.0.0.1:9/v1", timeout_seconds=2)
    assert "Is the server running" in str(caught.value)


# Database files, which are not trusted


@pytest.fixture
def planted(url: str, tmp_path: Path) -> tuple[Path, str]:
    """Return a database whose vectors are of ``some-model``, and the URL of that model."""
    path = tmp_path / "planted.db"
    with Catalog(path) as catalog:
        catalog.add(FIXTURES / "deadline", model=f"some-model@{url}")
    with closing(locations.open_for_writing(path)) as database:
        assert url not in str(database.query("SELECT * FROM meta"))
        # What files of earlier versions contain, and what a stranger writes.
        with database.transaction() as connection:
            connection.execute(
                "UPDATE meta SET value = ? WHERE name = 'model name'", (f"some-model@{url}",)
            )
    return path, url


def _received(action: Callable[[], object]) -> int:
    """Return the number of requests that the server receives during ``action``."""
    before = len(_Server.keys)
    action()
    return len(_Server.keys) - before


def test_no_text_is_sent_to_an_address_in_a_database_file(
    planted: tuple[Path, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path, _ = planted
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    with Catalog(path) as catalog:
        notices: list[str] = []
        assert not _received(lambda: notices.extend(catalog.search("secret merger").notices))
        assert any(f"Set {MODEL_VARIABLE}=some-model@URL" in notice for notice in notices)
        assert not _received(lambda: catalog.facets("secret merger"))
        source = path.parent / "new.d.ts"
        source.write_text("export declare function secretMerger(): void;")
        assert not _received(lambda: notices.extend(catalog.add(source).notices))
        assert MODEL_VARIABLE in notices[-1]
    assert not _received(lambda: main(["doctor", "--db", str(path)]))
    assert f"Set {MODEL_VARIABLE}=some-model@URL" in capsys.readouterr().out


def test_texts_are_sent_to_the_address_in_the_environment(
    planted: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, url = planted
    monkeypatch.setenv(MODEL_VARIABLE, f"some-model@{url}/")
    with Catalog(path) as catalog:
        assert _received(lambda: catalog.search("retry")) == 2  # the dimension, and the query
    monkeypatch.setenv(MODEL_VARIABLE, f"other-model@{url}")
    with Catalog(path) as catalog:
        assert not _received(lambda: catalog.search("retry"))


def test_a_catalog_searches_with_the_model_it_was_given(url: str, tmp_path: Path) -> None:
    with Catalog(tmp_path / "own.db") as catalog:
        catalog.add(FIXTURES / "deadline", model=f"some-model@{url}")
        assert _received(lambda: catalog.search("retry")) == 1
        assert not catalog.search("retry").notices


@pytest.mark.parametrize("name", ["./model", "/srv/model", "~/model", r"\\host\share", "model"])
def test_no_folder_named_by_a_database_file_is_opened(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model").mkdir()
    stored = ModelIdentity(name, 384, "0" * 64)
    with pytest.raises(EmbeddingError, match="is in a folder") as caught:
        open_stored_embedder(stored, "")
    assert f"Set {MODEL_VARIABLE}" in str(caught.value)
    with pytest.raises(EmbeddingError, match=r"the model folder has no model\.onnx"):
        open_stored_embedder(stored, "./model")
