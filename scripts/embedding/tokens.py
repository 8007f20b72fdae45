"""The tokenizer: MiniLM's vocabulary, cut to what API text needs and widened by its words."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

SPECIAL = ("[PAD]", "[UNK]", "[LINE]")
_MIN_COUNT = 12
_MIN_PACKAGES = 3
_MAX_ADDED = 8_000
_KEPT = re.compile(r"(##)?[a-z0-9]+")
_WORD = re.compile(r"[a-z][a-z0-9]{2,24}")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Tokens in the order of their ids: ``SPECIAL``, kept from MiniLM, added by the corpus."""

    kept: tuple[str, ...]
    added: tuple[str, ...]

    def __len__(self) -> int:
        return len(SPECIAL) + len(self.kept) + len(self.added)


def normalizer() -> normalizers.Normalizer:
    """Return the normaliser: ``getUserById`` becomes ``get user by id``."""
    hump = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
    return normalizers.Sequence(
        [
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Replace(Regex(hump), " "),
            normalizers.Lowercase(),
            normalizers.Replace("[]", " array "),
            normalizers.Replace(Regex(r"[^a-z0-9\n]+"), " "),
            normalizers.Replace("\n", f" {SPECIAL[2]} "),
        ]
    )


def tokenizer(vocabulary: Vocabulary) -> Tokenizer:
    tokens = (*SPECIAL, *vocabulary.kept, *vocabulary.added)
    ids = {token: index for index, token in enumerate(tokens)}
    model = models.WordPiece(vocab=ids, unk_token=SPECIAL[1], max_input_chars_per_word=64)
    made = Tokenizer(model)
    made.normalizer = normalizer()
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return made


def choose_vocabulary(texts: Iterable[tuple[str, str]], teacher: Path) -> Vocabulary:
    """Return the vocabulary for (package, text) pairs; ``teacher`` is MiniLM's tokenizer.json.

    Added are words that MiniLM would cut into pieces (async, enum, renderer), if they are
    frequent, and in more than a package or two.
    """
    base = json.loads(teacher.read_text(encoding="utf-8"))["model"]["vocab"]
    kept = [token for token in sorted(base, key=base.__getitem__) if _KEPT.fullmatch(token)]
    have = set(kept)
    count: Counter[str] = Counter()
    packages: defaultdict[str, set[str]] = defaultdict(set)
    normal = normalizer()
    for package, text in texts:
        words = normal.normalize_str(text).split()
        count.update(words)
        for word in set(words) - have:
            if len(packages[word]) < _MIN_PACKAGES:
                packages[word].add(package)
    added = [
        word
        for word, times in sorted(count.items(), key=lambda item: (-item[1], item[0]))
        if times >= _MIN_COUNT
        and word not in have
        and len(packages[word]) >= _MIN_PACKAGES
        and _WORD.fullmatch(word)
    ]
    return Vocabulary(tuple(kept), tuple(added[:_MAX_ADDED]))
