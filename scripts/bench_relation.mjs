// node bench_relation.mjs TYPESCRIPT_FOLDER CORPUS DATA: the compiler's CPU per query, as JSON.
//
// One program of the corpus with the DOM and node types; the type of every function is made before the
// clock runs.  A query is then one assignability check per function.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";

const [folder, corpus, data] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(folder));
const lines = (file) =>
  zlib.gunzipSync(fs.readFileSync(path.join(data, file))).toString().split("\n").filter(Boolean).map((l) => JSON.parse(l));
const functions = lines("functions.jsonl.gz");
const queries = lines("queries.jsonl.gz");
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };

function load() {
  const asked = path.resolve(corpus, "__asked.ts");
  const text = `export {};\n${queries.map((q, i) => `type Q${i} = ${q.query};`).join("\n")}\n`;
  const rows = [...new Set(functions.map((f) => path.resolve(corpus, "node_modules", f.file)))];
  const options = {
    strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, noEmit: true, skipLibCheck: true,
    moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: ["node"],
  };
  const host = ts.createCompilerHost(options, true);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language) =>
    path.resolve(name) === asked ? ts.createSourceFile(name, text, language, true) : read(name, language);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => path.resolve(name) === asked || exists(name);
  host.getCurrentDirectory = () => path.resolve(corpus);
  const program = ts.createProgram({ rootNames: [asked, ...rows.filter((f) => fs.existsSync(f))], options, host });
  return { program, checker: program.getTypeChecker(), asked };
}

// file -> "line last-name" -> the named declarations there.
function declarations(source) {
  const found = new Map();
  const visit = (node) => {
    if (node.name && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) {
      for (const at of [node.name.getStart(source), node.getStart(source)]) {
        const key = `${source.getLineAndCharacterOfPosition(at).line + 1} ${node.name.text}`;
        if (!found.has(key)) found.set(key, node);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function typesOfFunctions({ program, checker }) {
  const files = new Map();
  return functions.map((f) => {
    const name = path.resolve(corpus, "node_modules", f.file);
    if (!files.has(name)) {
      const source = program.getSourceFile(name);
      files.set(name, source ? declarations(source) : new Map());
    }
    const node = files.get(name).get(`${f.line} ${f.name.split(/[.#:]/).pop()}`);
    const symbol = node && checker.getSymbolAtLocation(node.name);
    const type = symbol && checker.getTypeOfSymbol(symbol);
    return type && checker.getApparentType(type).getCallSignatures().length ? type : null;
  });
}

const start = spent();
const loaded = load();
const types = typesOfFunctions(loaded);
const ready = spent();
const aliases = new Map(loaded.program.getSourceFile(loaded.asked).statements
  .filter(ts.isTypeAliasDeclaration).map((s) => [s.name.text, s]));
const rows = queries.map((q, i) => {
  const before = spent();
  const target = loaded.checker.getTypeFromTypeNode(aliases.get(`Q${i}`).type);
  const matches = functions.filter((_, k) => types[k] && loaded.checker.isTypeAssignableTo(types[k], target));
  const milliseconds = spent() - before;
  const known = new Set(q.matches);
  return { id: q.id, milliseconds, matches: matches.length, known: matches.filter((f) => known.has(f.id)).length };
});
const found = types.filter(Boolean).length;
const memory = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ load_milliseconds: ready - start, functions: functions.length, found, memory, rows }));
