"""Documentation as blocks and as text: Markdown, JSDoc, HTML, hostile input."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from typematch.ir.module import Doc
from typematch.search.present.doc_markup import (
    doc_tags,
    doc_text,
    plain_line,
    plain_text,
    summary_line,
)
from typematch.search.present.doc_reader import DocBlock, DocSpan, doc_blocks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Plain.", "Plain.", id="plain"),
        pytest.param('<span class="informal">It is.</span>', "It is.", id="HTML"),
        pytest.param("![](debounce.svg)\n\nAfter.", "After.", id="image"),
        pytest.param("A <b>bold</b> `<b>` tag.", "A bold `<b>` tag.", id="HTML in code"),
        pytest.param("Gives Promise<string> or Map<K, V>.", "Gives Promise<string> or Map<K, V>.",
                     id="type arguments"),
        pytest.param("<script>alert(1)</script>ok", "ok", id="script"),
        pytest.param("a <script> **x </script> b** c", "a  b c", id="emphasis across a script"),
        pytest.param("Adds a <style> element.", "Adds a  element.", id="a tag that is mentioned"),
        pytest.param("<!-- hidden -->ok", "ok", id="comment"),
        pytest.param("See {@link Foo.bar}.", "See Foo.bar.", id="link"),
        pytest.param("See {@link Foo | the foo}.", "See the foo.", id="link with a label"),
        pytest.param("See [it]{@link Foo}.", "See it.", id="label before a link"),
        pytest.param("Use {@code a < b}.", "Use `a < b`.", id="JSDoc code"),
        pytest.param("**All** _of_ it", "All of it", id="emphasis"),
        pytest.param("[x](https://e.org/y)", "x (https://e.org/y)", id="web link"),
        pytest.param("- a\n- b\n  1. c", "- a\n- b\n  1. c", id="lists"),
        pytest.param("# Head\ntext", "Head\n\ntext", id="heading"),
        pytest.param("```ts\nf();\n```", "    f();", id="fenced code"),
        pytest.param("| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n\n1 | 2", id="table"),
        pytest.param("A&nbsp;b &lt;c&gt;", "A\xa0b <c>", id="entities"),
    ],
)  # fmt: skip
def test_documentation_as_text(text: str, expected: str) -> None:
    assert plain_text(text) == expected


def test_links_lead_to_web_addresses_only_and_references_to_names() -> None:
    text = "[a](javascript:x) [b](data:text/html,x) [c](//e.org) [d](https://e.org) {@link Foo}"
    [block] = doc_blocks(text)
    targets = [(span.kind, span.target) for span in block.spans if span.target]
    assert targets == [("link", "https://e.org"), ("reference", "Foo")]


def test_a_line_has_no_markup() -> None:
    assert plain_line("Emits `a`,\n<i>then</i> **b**.") == "Emits `a`, then b."


def test_tags_are_read_by_their_kind() -> None:
    doc = Doc(
        "Text.",
        "Text.",
        tags=(
            ("param", "{string} a - The **a**."),
            ("param", "[b=1] The b."),
            ("returns", "`c`"),
            ("example", "<caption>One</caption>\nf(<T>x)"),
        ),
    )
    tags = doc_tags(doc)
    assert [(tag.tag, tag.name) for tag in tags] == [
        ("param", "a"), ("param", "b"), ("returns", ""), ("example", "")
    ]  # fmt: skip
    assert tags[0].blocks[0].spans == (DocSpan("text", "The "), DocSpan("strong", "a"),
                                       DocSpan("text", "."))  # fmt: skip
    assert tags[3].blocks == (DocBlock("code", (DocSpan("code", "f(<T>x)"),)),)


def test_prose_in_tags_counts_as_the_documentation() -> None:
    doc = Doc("", "", tags=(("summary", "Short."), ("description", "Long."), ("param", "a b")))
    assert doc_text(doc) == "Short.\n\nLong."
    assert summary_line(doc) == "Short."
    assert [tag.tag for tag in doc_tags(doc)] == ["param"]


@given(st.text(st.sampled_from("ab <>{}@link|`*_[]()!#-\n1.&;\\/:")))
def test_any_text_is_read(text: str) -> None:
    plain_line(text)
    for block in doc_blocks(text):
        assert block.spans
        assert all(span.text for span in block.spans)
