"""Settings for Claude: key, address, models, budgets, concurrency.

They are read from the environment and from the nearest ``typematch.toml`` (table ``[claude]``) or
``pyproject.toml`` (``[tool.typematch.claude]``) in the current folder or a parent.

A project's file is not trusted with the user's key: an address from the file is used only together
with a key from the same file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from typematch.errors import UsageError
from typematch.llm.prices import SMALL_MODEL, STRONG_MODEL, Price

EFFORTS = ("", "low", "medium", "high", "xhigh", "max")
NO_KEY = "no API key is set (set ANTHROPIC_API_KEY)"

_MAX_NUMBER = 1e15
_FILES = (("typematch.toml", ("claude",)), ("pyproject.toml", ("tool", "typematch", "claude")))


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of all Claude features.

    Attributes:
        api_key, auth_token: credentials; one of them is set.  A token is sent as a bearer token.
        base_url: address of the service; empty for the vendor's.
        small_model, strong_model: models for bulk work, and for grading and planning.
        effort: thinking effort, one of ``EFFORTS``; empty for the model's default.
        timeout_seconds: time limit of one answer, all attempts included.
        attempts: maximum number of attempts per request.
        concurrency: maximum number of requests in flight.
        candidates: number of hits to rerank.
        window: candidates per rerank request; 1 grades every candidate in its own request.
        catalog_tokens: token limit of the list of packages that ``select`` sends.
        discover_steps, discover_tokens: limits of tool steps and of total tokens, after which
            ``discover`` must write its plan.
        tokens_per_call, tokens_per_day, dollars_per_call, dollars_per_day: budgets; a call is one
            request.
        batch_poll_seconds: interval between two queries of a batch's status.
        prices: prices by model, in addition to the built-in table.
        problem: why no request can be sent; empty if requests can be sent.
    """

    api_key: str = field(default="", repr=False)
    auth_token: str = field(default="", repr=False)
    base_url: str = ""
    small_model: str = SMALL_MODEL
    strong_model: str = STRONG_MODEL
    effort: str = "low"
    timeout_seconds: float = 60.0
    attempts: int = 3
    concurrency: int = 4
    candidates: int = 30
    window: int = 15
    catalog_tokens: int = 6_000
    discover_steps: int = 12
    discover_tokens: int = 150_000
    tokens_per_call: int = 150_000
    tokens_per_day: int = 20_000_000
    dollars_per_call: float = 0.50
    dollars_per_day: float = 5.0
    batch_poll_seconds: float = 10.0
    prices: Mapping[str, Price] = field(default_factory=dict)
    problem: str = ""

    def redacted(self, text: str) -> str:
        """Return ``text`` with the credentials replaced by ``[key]``."""
        for secret in (self.api_key, self.auth_token):
            text = text.replace(secret, "[key]") if secret else text
        return text


_SETTING_NAMES = frozenset(field_.name for field_ in fields(Settings)) - {"problem"}


def read_settings(environment: Mapping[str, str], folder: Path) -> Settings:
    """Return the settings that apply in ``folder``.

    Raises:
        UsageError: a file cannot be read, or contains an unknown or invalid setting.
    """
    path, table = _nearest_table(folder)
    settings = Settings(**_validated(table, path))
    own_key = bool(settings.api_key or settings.auth_token)
    environment_url = environment.get("ANTHROPIC_BASE_URL", "")
    problem = ""
    if not own_key:
        if settings.base_url and not environment_url:
            problem = (
                f"{path} sets base_url, and a key from the environment is not sent to an address "
                "from a file (set ANTHROPIC_BASE_URL)"
            )
        key, token = (
            environment.get(f"ANTHROPIC_{name}", "") for name in ("API_KEY", "AUTH_TOKEN")
        )
        settings = replace(
            settings,
            api_key=key,
            auth_token="" if key else token,
            base_url=environment_url,
            problem=problem if key or token else NO_KEY,
        )
    if environment.get("TYPEMATCH_CLAUDE", "").lower() in ("off", "0", "no", "false"):
        settings = replace(settings, problem="Claude is turned off (TYPEMATCH_CLAUDE)")
    return replace(
        settings,
        small_model=environment.get("TYPEMATCH_SMALL_MODEL") or settings.small_model,
        strong_model=environment.get("TYPEMATCH_STRONG_MODEL") or settings.strong_model,
    )


def _nearest_table(folder: Path) -> tuple[Path | None, Mapping[str, Any]]:
    """Return the nearest file that contains the settings table, and the table."""
    for directory in (folder, *folder.parents):
        for name, keys in _FILES:
            path = directory / name
            if not path.is_file():
                continue
            try:
                table: Any = tomllib.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError) as error:
                if name == "pyproject.toml":
                    continue  # other tools report errors in this file
                raise UsageError(f"cannot read the settings: {error}", str(path)) from error
            for key in keys:
                table = table.get(key) if isinstance(table, dict) else None
            if isinstance(table, dict):
                return path, table
    return None, {}


def _validated(table: Mapping[str, Any], path: Path | None) -> dict[str, Any]:
    """Return the settings of a table after checking their names and types."""
    where = str(path)
    defaults = Settings()
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in _SETTING_NAMES:
            raise UsageError(
                f"there is no setting {name!r} for Claude",
                where,
                f"The settings are: {', '.join(sorted(_SETTING_NAMES))}.",
            )
        if name == "prices":
            values[name] = _prices(value, where)
            continue
        default = getattr(defaults, name)
        expected = "a string" if isinstance(default, str) else "a number above 0"
        is_valid = isinstance(value, str)
        if isinstance(default, int | float):
            is_integer = isinstance(default, int)
            types = int if is_integer else (int, float)
            is_number = isinstance(value, types) and not isinstance(value, bool)
            is_valid = is_number and 0 < value <= _MAX_NUMBER  # false for nan
            expected = "a whole number above 0" if is_integer else expected
        if name == "effort":
            is_valid, expected = value in EFFORTS, "one of " + ", ".join(filter(None, EFFORTS))
        if not is_valid:
            # The value is not shown: it may be a key.
            raise UsageError(f"the setting {name} for Claude must be {expected}", where)
        values[name] = value
    return values


def _prices(table: Any, where: str) -> Mapping[str, Price]:
    field_names = frozenset(field_.name for field_ in fields(Price))
    try:
        return {
            str(model): Price(
                **{key: _price_value(key, row[key]) for key in row if key in field_names}
            )
            for model, row in table.items()
        }
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UsageError(
            "prices for Claude must be tables with input and output, in dollars per million tokens",
            where,
            'Try: [claude.prices."claude-next"]   input = 2.0   output = 10.0',
        ) from error


def _price_value(name: str, value: Any) -> Any:
    """Return a value of a price table; without a finite number no budget can be enforced.

    Raises:
        ValueError: it is no finite number from 0, or for ``has_effort`` no truth value.
    """
    if name == "has_effort":
        is_valid = isinstance(value, bool)
    else:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_valid = is_number and 0 <= value <= _MAX_NUMBER  # false for nan
    if not is_valid:
        raise ValueError(name)
    return value
