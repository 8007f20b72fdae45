"""What the user said about Claude: key, address, models, budgets, how many at once.

They come from the environment and from the nearest ``typematch.toml`` (its table ``[claude]``) or
``pyproject.toml`` (``[tool.typematch.claude]``), in the folder or above it.

A project's file may come from a stranger, and it must not be able to send the user's key somewhere:
an address from the file counts only with a key from the same file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from typematch.errors import UsageError
from typematch.llm.prices import SMALL, STRONG, Price

EFFORTS = ("", "low", "medium", "high", "xhigh", "max")
NO_KEY = "there is no key (set ANTHROPIC_API_KEY)"

_FILES = (("typematch.toml", ("claude",)), ("pyproject.toml", ("tool", "typematch", "claude")))


@dataclass(frozen=True, slots=True)
class Settings:
    """How Claude is asked.

    Attributes:
        api_key, auth_token: one of them; a token is sent as a bearer.
        base_url: empty for the vendor's own.
        small_model, strong_model: for bulk, and for judgement.
        effort: how much a model should think, one of ``EFFORTS``; empty for its own default.
        timeout_seconds: for one answer, all attempts together.
        attempts: how often a request is sent, at most.
        concurrency: requests at the same time.
        candidates: hits that are reranked.
        window: of them in one request.  1 gives every candidate a request of its own.
        catalog_tokens: of the list of packages and services to choose among.
        discover_steps, discover_tokens: after so many steps, or so many tokens of all requests
            together, a plan is to be written.
        tokens_per_call, tokens_per_day, dollars_per_call, dollars_per_day: the most that may be
            spent; a call is one request.
        batch_poll_seconds: between two looks at a batch.
        prices: of models that are not in our table.
        problem: why Claude cannot be asked; empty where it can.
    """

    api_key: str = field(default="", repr=False)
    auth_token: str = field(default="", repr=False)
    base_url: str = ""
    small_model: str = SMALL
    strong_model: str = STRONG
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

    def hidden(self, text: str) -> str:
        """Return ``text`` without the key, whoever put it there."""
        for secret in (self.api_key, self.auth_token):
            text = text.replace(secret, "[key]") if secret else text
        return text


_SPOKEN = frozenset(one.name for one in fields(Settings)) - {"problem"}


def read_settings(environment: Mapping[str, str], folder: Path) -> Settings:
    """Return the settings that hold in ``folder``.

    Raises:
        UsageError: a file cannot be read, or says something that is no setting.
    """
    path, table = _table(folder)
    settings = Settings(**_checked(table, path))
    own_key = bool(settings.api_key or settings.auth_token)
    environment_url = environment.get("ANTHROPIC_BASE_URL", "")
    problem = ""
    if not own_key:
        if settings.base_url and not environment_url:
            problem = (
                f"{path} names an address, and a key from the environment is not sent to it "
                "(set ANTHROPIC_BASE_URL)"
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
        settings = replace(settings, problem="it is turned off (TYPEMATCH_CLAUDE)")
    return replace(
        settings,
        small_model=environment.get("TYPEMATCH_SMALL_MODEL") or settings.small_model,
        strong_model=environment.get("TYPEMATCH_STRONG_MODEL") or settings.strong_model,
    )


def _table(folder: Path) -> tuple[Path | None, Mapping[str, Any]]:
    """Return the nearest file that has the table, and that table."""
    for place in (folder, *folder.parents):
        for name, keys in _FILES:
            path = place / name
            if not path.is_file():
                continue
            try:
                found: Any = tomllib.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                if name == "pyproject.toml":
                    continue  # it is not ours to complain about
                raise UsageError(f"cannot read the settings: {error}", str(path)) from error
            for key in keys:
                found = found.get(key) if isinstance(found, dict) else None
            if isinstance(found, dict):
                return path, found
    return None, {}


def _checked(table: Mapping[str, Any], path: Path | None) -> dict[str, Any]:
    """Return the settings of a table, each of the right sort."""
    where = str(path)
    usual = Settings()
    found: dict[str, Any] = {}
    for name, value in table.items():
        if name not in _SPOKEN:
            raise UsageError(
                f"there is no setting {name!r} for Claude",
                where,
                f"There are: {', '.join(sorted(_SPOKEN))}.",
            )
        if name == "prices":
            found[name] = _prices(value, where)
            continue
        expected = getattr(usual, name)
        wanted = "a text" if isinstance(expected, str) else "a number above 0"
        fits = isinstance(value, str)
        if isinstance(expected, int | float):
            whole = isinstance(expected, int)
            sort = int if whole else (int, float)
            fits = isinstance(value, sort) and not isinstance(value, bool) and value > 0
            wanted = "a whole number above 0" if whole else wanted
        if name == "effort":
            fits, wanted = value in EFFORTS, "one of " + ", ".join(filter(None, EFFORTS))
        if not fits:
            # A key is never shown, not even a wrong one.
            raise UsageError(f"the setting {name} for Claude must be {wanted}", where)
        found[name] = value
    return found


def _prices(table: Any, where: str) -> Mapping[str, Price]:
    known = frozenset(one.name for one in fields(Price))
    try:
        return {
            str(model): Price(**{key: value for key, value in row.items() if key in known})
            for model, row in table.items()
        }
    except (AttributeError, TypeError) as error:
        raise UsageError(
            "prices for Claude must be tables with input and output, dollars for a million tokens",
            where,
            'Try: [claude.prices."claude-next"]   input = 2.0   output = 10.0',
        ) from error
