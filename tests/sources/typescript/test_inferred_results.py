"""Results that are inferred from expressions, as the compiler's declaration output has them."""

from __future__ import annotations

import pytest

from typematch.ir.render import render
from typematch.sources.typescript import read_module


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("n * 2", "number"),
        ("1 << n", "number"),
        ("n >>> 0", "number"),
        ("2 + 3", "number"),
        ("'a' + n", "string"),
        ("n + `b`", "string"),
        ("n > 1 ? 'a' : 'b'", '"a" | "b"'),
        ("n > 1 ? 'a' : 'a'", "string"),
        ("n ? 1 : undefined", "1 | undefined"),
        ("n ? [1] : null", "null | number[]"),
        ("n ? true : false", "boolean"),
        ("<div>{n}</div>", 'import("jsx:").JSX.Element'),
        ("<Box />", 'import("jsx:").JSX.Element'),
        ("<></>", 'import("jsx:").JSX.Element'),
        pytest.param("n * n", "_", id="it may be a bigint"),
        pytest.param("n + 1", "_", id="it may be text"),
        pytest.param("n ? 1 : n.other", "_", id="half unknown"),
        pytest.param("n && 1", "_", id="an operand"),
    ],
)
def test_a_result_is_inferred(expression: str, result: str) -> None:
    source = (
        f"export function f(n) {{ return {expression} }}\nexport const g = (n) => {expression};"
    )
    declarations = read_module(source.encode(), path="x.tsx").scope.declarations
    texts = [statement.overloads[0].text for statement in declarations]
    if result == "_":
        assert [text.partition(" => ")[2] for text in texts] == ["_", "_"]
    else:
        results = [statement.overloads[0].signature.returns for statement in declarations]
        assert [set(render(t).split(" | ")) for t in results] == [set(result.split(" | "))] * 2


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("let s = c ? 1 : 2", "unannotated"),
        ("const k = 2 * 3", "number"),
        ("let l = `a` + 1", "string"),
    ],
)
def test_a_variable_is_widened(statement: str, expected: str) -> None:
    [declaration] = read_module(f"export {statement};".encode(), path="x.ts").scope.declarations
    assert declaration.value is not None
    value = render(declaration.value)
    assert value == expected or (expected == "unannotated" and value == "_")
