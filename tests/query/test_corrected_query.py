from __future__ import annotations

import pytest

from typematch.errors import QuerySyntaxError
from typematch.query.corrected_query import corrected_query
from typematch.query.parse import parse


@pytest.mark.parametrize(
    ("query", "corrected"),
    [
        pytest.param("kind:metod,function", "kind:method,function", id="the values after it stay"),
        pytest.param(
            "kind:function,metod chunk",
            "kind:function,method chunk",
            id="the values before it stay",
        ),
        pytest.param('chunk -kind:"metod",class', "chunk -kind:method,class", id="a quoted value"),
        pytest.param("knd:method", "kind:method", id="a key"),
        pytest.param("-knd:method,class chunk", "-kind:method,class chunk", id="a negated key"),
        pytest.param("split\nis:asinc", "split\nis:async", id="a second line"),
        pytest.param("knd:metod", "", id="two errors"),
        pytest.param("zzz:method", "", id="no key is near"),
        pytest.param("kind:zzz", "", id="no value is near"),
        pytest.param("kind:class  (string -> a", "kind:class  (string) => a", id="a signature"),
        pytest.param("limit:0", "", id="a hint without a repair"),
    ],
)
def test_only_the_erroneous_part_is_replaced(query: str, corrected: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse(query)
    assert corrected_query(caught.value) == corrected
