from __future__ import annotations

import json
from pathlib import Path

import pytest

from embedding.card import card
from embedding.corpus import Documented, installed, read_package
from embedding.pairs import balanced, distinct, sentences
from embedding.tokens import SPECIAL, Vocabulary, normalizer, tokenizer


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "node_modules" / "boats"
    root.mkdir(parents=True)
    manifest = {"name": "boats", "version": "1.0.0", "types": "index.d.ts"}
    (root / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    (root / "index.d.ts").write_text('export * from "./sail";\n', encoding="utf-8")
    (root / "unreached.d.ts").write_text("export declare const hidden: 1;\n", encoding="utf-8")
    (root / "sail.d.ts").write_text(
        """
        /** Sets the sails.
         * @param wind where the wind comes from
         * @returns how fast it goes */
        export declare function hoist(wind: Wind): number;
        export interface Wind {
            /** Measured in knots. */
            speed: number;
        }
        """,
        encoding="utf-8",
    )
    return tmp_path


def test_a_package_is_read_from_its_entry_points(package: Path) -> None:
    ((name, root),) = installed(package, frozenset())
    assert list(read_package(name, root)) == [
        Documented(
            "boats", "", "hoist", "func", "(wind: Wind) => number", "sail",
            "Sets the sails.", ("where the wind comes from",), "how fast it goes",
        ),
        Documented("boats", "", "Wind", "interface", "interface speed", "sail"),
        Documented("boats", "Wind", "speed", "prop", "number", "", "Measured in knots."),
    ]  # fmt: skip


def test_packages_are_left_out_by_name(package: Path) -> None:
    assert installed(package, frozenset({"boats"})) == []


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("Gets it, e.g. now. Then {@link Foo} waits.", ["Gets it, e.g. now", "Then Foo waits"]),
        ("Uses `code` here.\n```ts\nlet a = 1.\n```", ["Uses code here"]),
        ("See the manual for more.", []),
        ("Short one.", []),
    ],
)
def test_sentences(comment: str, expected: list[str]) -> None:
    assert sentences(comment) == expected


def test_duplicates_of_two_packages_are_trained_once() -> None:
    once = Documented("a", "Box", "open", "func", "() => void", prose="Opens the box.")
    twice = Documented("b", "m.Box", "open", "func", "(): void", prose="Opens the box.")
    bare = Documented("b", "", "shut", "func", "() => void")
    assert distinct([once, twice, bare]) == [once, bare]
    assert balanced([once, bare], 0) == [once]


def test_identifiers_are_split_into_words_and_line_breaks_are_a_token() -> None:
    assert normalizer().normalize_str("getHTMLElement\nFoo[]").split() == [
        "get", "html", "element", "[LINE]", "foo", "array",
    ]  # fmt: skip
    made = tokenizer(Vocabulary(("get", "##s"), ("html",)))
    assert made.encode("getsHTML\n", add_special_tokens=False).tokens == [
        "get", "##s", "html", SPECIAL[2],
    ]  # fmt: skip


def test_the_card_names_packages_and_scores() -> None:
    text = card(
        rows=31_000,
        dimension=256,
        size=8_600_000,
        scores={"benchmark": {"dense": {"mrr@10": 0.5}}},
        held_out=3,
        left_out=["undici-types"],
        packages={"rxjs": "7.8.2"},
    )
    assert "31,000 tokens, 256 dimensions, int8; 8.6 MB" in text
    assert "| dense | 0.500 |" in text
    assert "- rxjs 7.8.2" in text
