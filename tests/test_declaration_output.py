"""Indexing with the types that the compiler of the project infers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from file_trees import Write, writer
from typematch.catalog import Catalog
from typematch.errors import OutsideError, UsageError

# Answers --showConfig, and writes for each file a declaration of a function of its name.
COMPILER = """
const fs = require("fs"), path = require("path");
const project = process.argv[process.argv.indexOf("--project") + 1];
if (process.argv.includes("--showConfig")) {
  console.log(JSON.stringify({ compilerOptions: {
    strict: true, outDir: "/elsewhere", plugins: [{ name: "evil" }], paths: { "@/*": ["./src/*"] },
  } }));
  process.exit(0);
}
const { compilerOptions, files } = JSON.parse(fs.readFileSync(path.join(project, "tsconfig.json")));
const { outDir, plugins, paths, rootDir } = compilerOptions;
if (plugins || !path.isAbsolute(paths["@/*"][0]) || !outDir.startsWith(fs.realpathSync(project))) {
  process.exit(3);
}
for (const file of files) {
  const name = path.basename(file, ".ts");
  const to = path.join(outDir, path.relative(rootDir, file)).replace(/\\.ts$/, ".d.ts");
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, `export declare function ${name}(n: number): Set<number>;`);
}
process.exit(2);
"""
PROJECT: dict[str, object] = {
    "package.json": {"name": "app"},
    "tsconfig.json": {"compilerOptions": {"strict": True}},
    "first.ts": "export function first(n: number) { return compute(n) }",
    "types.d.ts": "export declare function typed(n: number): Date;",
}
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return writer(tmp_path / "project")


@needs_node
def test_the_compiler_of_the_project_infers_types(write: Write, tmp_path: Path) -> None:
    root = write({**PROJECT, "node_modules/typescript/bin/tsc": COMPILER})
    with Catalog(tmp_path / "t.db") as catalog:
        before = catalog.add(root, model=None)
        assert catalog.get("first").signature.endswith("_")
        [notice] = before.notices
        assert notice.startswith("1 entry of app has no type for a parameter or the result")
        assert "--infer auto" in notice
        report = catalog.add(root, model=None, infer="auto")
        entry = catalog.get("first")
        assert entry.signatures[0].text == "(n: number) => Set<number>"
        assert (entry.path, entry.line, entry.inferred) == ("app/first.ts", 1, True)
        assert catalog.search("(n: number) => Set<number>")[0].cost == 0
        assert report.notices[0].startswith("The compiler inferred types of 1 of 1 file of project")
        assert catalog.add(root, model=None, infer="tsc").unchanged == report.files
        catalog.add(root, model=None)
        assert catalog.get("first").signature.endswith("_")
    assert sorted(path.name for path in root.iterdir()) == sorted(
        [".git", "node_modules", *PROJECT]
    )


def test_without_a_compiler_auto_says_so_and_tsc_fails(write: Write, tmp_path: Path) -> None:
    root = write(PROJECT)
    with Catalog(tmp_path / "t.db") as catalog:
        [notice] = catalog.add(root, model=None, infer="auto").notices
        assert notice.startswith("app: types were read without the compiler: ")
        with pytest.raises(OutsideError):
            catalog.add(root, model=None, infer="tsc")
        with pytest.raises(UsageError, match="there is no infer 'always'"):
            catalog.add(root, model=None, infer="always")


@needs_node
def test_a_compiler_that_is_too_old_is_a_notice(write: Write, tmp_path: Path) -> None:
    """It writes nothing, and says which option it does not know."""
    refuses = """
        console.log("error TS6046: Argument for '--module' must be: 'none', 'commonjs'.");
        process.exit(1);
    """
    root = write({**PROJECT, "node_modules/typescript/bin/tsc": refuses})
    with Catalog(tmp_path / "t.db") as catalog:
        [notice] = catalog.add(root, model=None, infer="tsc").notices
        assert notice == (
            "project: the compiler wrote no declarations (error TS6046: Argument for '--module' "
            "must be: 'none', 'commonjs'.). Types were read without it."
        )
        assert catalog.get("typed").signature == "(n: number) => Date"


@needs_node
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param('{ "compilerOptions": { "lib": [', id="syntax"),
        pytest.param('{ "extends": "/etc/hostname" }', id="extends a file that is no JSON"),
        pytest.param('{ "extends": "./none.json", "files": 7 }', id="extends nothing"),
    ],
)
def test_a_tsconfig_with_errors_does_not_end_the_run(
    write: Write, tmp_path: Path, settings: str
) -> None:
    """The compiler's output is taken though its answer about the configuration is no JSON."""
    answers = """
        const fs = require("fs"), path = require("path");
        if (process.argv.includes("--showConfig")) { console.log("error TS5083"); process.exit(1); }
        const project = process.argv[process.argv.indexOf("--project") + 1];
        const { compilerOptions, files } = JSON.parse(
          fs.readFileSync(path.join(project, "tsconfig.json")));
        const { outDir, rootDir, strict, target } = compilerOptions;
        if (!strict || target !== "esnext") process.exit(3);
        for (const file of files) {
          const to = path.join(outDir, path.relative(rootDir, file)).replace(/\\.ts$/, ".d.ts");
          fs.mkdirSync(path.dirname(to), { recursive: true });
          fs.writeFileSync(to, "export declare function first(n: number): Set<number>;");
        }
    """
    files = {**PROJECT, "tsconfig.json": settings, "node_modules/typescript/bin/tsc": answers}
    root = write(files)
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None, infer="tsc")
        assert catalog.get("first").signature == "(n: number) => Set<number>"


@needs_node
def test_a_tsconfig_decides_about_types_alone(write: Write, tmp_path: Path) -> None:
    """What runs code, or writes or reads elsewhere, is not among the options of the compiler."""
    outside = tmp_path / "outside"
    options: dict[str, object] = {
        "strict": True,
        "plugins": [{"name": "evil", "transform": "evil"}],
        "outDir": str(outside),
        "declarationDir": str(outside),
        "outFile": str(outside / "one.js"),
        "tsBuildInfoFile": str(outside / "info"),
        "generateTrace": str(outside / "trace"),
        "generateCpuProfile": str(outside / "profile"),
        "rootDirs": ["/"],
    }
    answers = """
        const fs = require("fs"), path = require("path");
        const project = process.argv[process.argv.indexOf("--project") + 1];
        const file = path.join(project, "tsconfig.json");
        if (process.argv.includes("--showConfig")) {
          console.log(JSON.stringify(OPTIONS));
          process.exit(0);
        }
        const config = JSON.parse(fs.readFileSync(file));
        const given = Object.entries(config.compilerOptions);
        const ours = ["outDir", "rootDir"];
        const bad = given.filter(([name, value]) => String(value).startsWith("OUTSIDE")
          || (name in OPTIONS.compilerOptions && !ours.includes(name) && name !== "strict"));
        const names = ["extends", "references", "include"].filter((name) => config[name]);
        const found = [...bad.map(([name]) => name), ...names].join(" ");
        const { outDir, rootDir } = config.compilerOptions;
        for (const file of config.files) {
          const to = path.join(outDir, path.relative(rootDir, file)).replace(/\\.ts$/, ".d.ts");
          fs.mkdirSync(path.dirname(to), { recursive: true });
          fs.writeFileSync(to, `export declare function first(n: number): "${found}";`);
        }
    """
    config = {
        "extends": "../outside/base.json",
        "references": [{"path": "../outside"}],
        "compilerOptions": options,
    }
    compiler = answers.replace("OPTIONS", json.dumps(config)).replace("OUTSIDE", str(outside))
    root = write({**PROJECT, "tsconfig.json": config, "node_modules/typescript/bin/tsc": compiler})
    with Catalog(tmp_path / "t.db") as catalog:
        catalog.add(root, model=None, infer="tsc")
        assert catalog.get("first").signature == '(n: number) => ""'
    assert not outside.exists()
