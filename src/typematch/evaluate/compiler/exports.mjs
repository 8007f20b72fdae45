// node exports.mjs TYPESCRIPT_FOLDER CORPUS_FOLDER PACKAGE...: what the packages of CORPUS_FOLDER/node_modules export, as the
// compiler sees it; prints a JSON line per export, and per callable member of an exported object.  See exports.py.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [folder, corpus, ...packages] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(folder));
const root = path.resolve(corpus);
const modules = path.join(root, "node_modules");

// The modules beside the package.json that have typings and a script.
function rootModules(name) {
  const files = new Set(fs.readdirSync(path.join(modules, name)));
  const declared = [...files].filter((file) => /^(?!index\.|_).+\.d\.ts$/.test(file)).map((file) => file.slice(0, -".d.ts".length));
  return declared.filter((module) => [".js", ".mjs", ".cjs"].some((suffix) => files.has(module + suffix)));
}

function subpaths(name) {
  const own = JSON.parse(fs.readFileSync(path.join(modules, name, "package.json"), "utf8"));
  const exported = own.exports;
  if (!exported) return [".", ...rootModules(name).map((module) => `./${module}`)];
  if (typeof exported !== "object") return ["."];
  const keys = Object.keys(exported).filter((key) => key.startsWith("."));
  return keys.length ? keys.filter((key) => !/[*]|\.(json|css|scss|less)$|\/$/.test(key)) : ["."];
}

const lines = [], asked = [];
for (const name of packages) {
  for (const subpath of subpaths(name)) {
    const specifier = subpath === "." ? name : `${name}/${subpath.slice(2)}`;
    asked.push([name, subpath]);
    lines.push(`import * as _${asked.length} from ${JSON.stringify(specifier)};`);
  }
}
const start = path.join(root, "__exports__.mts");
const options = {
  strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, skipLibCheck: true,
  moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: fs.existsSync(path.join(modules, "@types", "node")) ? ["node"] : [], noEmit: true, typeRoots: [path.join(modules, "@types")],
};
const host = ts.createCompilerHost(options, true);
const read = host.getSourceFile.bind(host), exists = host.fileExists.bind(host);
host.fileExists = (file) => file === start || exists(file);
host.getSourceFile = (file, language) =>
  file === start ? ts.createSourceFile(file, lines.join("\n"), language, true) : read(file, language);
host.getCurrentDirectory = () => root;
const program = ts.createProgram({ rootNames: [start], options, host });
const checker = program.getTypeChecker();
const source = program.getSourceFile(start);

function place(symbol) {
  const declaration = symbol.valueDeclaration ?? symbol.declarations?.[0];
  const file = declaration?.getSourceFile();
  if (!file || program.isSourceFileDefaultLibrary(file)) return {};
  const { line } = file.getLineAndCharacterOfPosition(declaration.getStart());
  return { file: path.relative(modules, file.fileName), line: line + 1 };
}

function described(symbol, type) {
  const calls = type.getCallSignatures();
  const first = calls[0];
  return {
    callable: calls.length > 0, overloads: calls.length,
    ...(first ? { arity: first.parameters.length, min_arity: first.minArgumentCount } : {}),
    deprecated: symbol.getJsDocTags(checker).some((tag) => tag.name === "deprecated"),
    ...place(symbol),
  };
}

function kindOf(symbol) {
  const f = ts.SymbolFlags;
  if (symbol.flags & f.Function) return "function";
  if (symbol.flags & f.Class) return "class";
  if (symbol.flags & f.Enum) return "enum";
  if (symbol.flags & f.Variable) return "const";
  if (symbol.flags & f.Property) return "property";
  if (symbol.flags & f.Method) return "method";
  if (symbol.flags & f.ValueModule) return "namespace";
  return symbol.flags & f.Value ? "value" : "type";
}

const out = [];
function record(row) { out.push(JSON.stringify(row)); }

function members(owner, type, name) {
  // Members of a constant's object or of a namespace that are written in a package and callable.
  for (const member of checker.getPropertiesOfType(type)) {
    const at = place(member);
    if (!at.file || member.name.startsWith("__@") || member.name === "prototype") continue;
    const memberType = checker.getTypeOfSymbolAtLocation(member, source);
    const row = { ...owner, name: `${name}.${member.name}`, kind: kindOf(member), ...described(member, memberType) };
    if (row.callable) record(row);
  }
}

const mains = new Map();
asked.forEach(([name, subpath], index) => {
  const specifier = source.statements[index].moduleSpecifier;
  const symbol = checker.getSymbolAtLocation(specifier);
  const prefix = subpath === "." ? "" : `${subpath.slice(2)}:`;
  if (!symbol) return record({ package: name, subpath, missing: true });
  if (subpath === ".") mains.set(name, symbol);
  else if (mains.get(name) === symbol) return; // the main module by the name of its file
  const owner = { package: name, subpath };
  const seen = new Set();
  for (const exported of checker.getExportsOfModule(symbol)) {
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (seen.has(exported.name) || exported.name === "prototype") continue;
    seen.add(exported.name);
    const value = target.flags & ts.SymbolFlags.Value;
    const type = value ? checker.getTypeOfSymbolAtLocation(target, source) : checker.getDeclaredTypeOfSymbol(target);
    const row = { ...owner, name: `${prefix}${exported.name}`, kind: kindOf(target), ...(value ? described(target, type) : { callable: false, ...place(target) }) };
    record(row);
    const plain = target.flags & (ts.SymbolFlags.Variable | ts.SymbolFlags.ValueModule | ts.SymbolFlags.Property);
    if (value && plain && !(target.flags & ts.SymbolFlags.Function)) members(owner, type, row.name);
  }
});
process.stdout.write(`${out.join("\n")}\n`);
