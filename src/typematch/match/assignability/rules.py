"""The result of a rule that may not apply to a pair of types."""

from __future__ import annotations

from typing import TypeAlias

from typematch.match.verdict import Misfit

# (whether the rule decides the pair, the misfit if it refuses it).
RuleResult: TypeAlias = tuple[bool, Misfit | None]

NO_RULE: RuleResult = (False, None)
RELATED: RuleResult = (True, None)
