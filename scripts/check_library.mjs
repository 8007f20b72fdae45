// node check_library.mjs TYPESCRIPT_FOLDER LIBRARY_FOLDER: compare our library with TypeScript's own, as JSON.
//
// Each of our declarations gets a name with `$` behind it and stands beside TypeScript's globals; every
// name inside it means TypeScript's.  So `Array$<T>` is compared with `Array<T>` as if the rest were equal
// already, which is sound for all together: nothing but the declaration itself can make a difference.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [folder, library] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(folder));
const files = fs.readdirSync(library).filter((name) => name.endsWith(".d.ts")).sort();
const texts = new Map(files.map((name) => [name, fs.readFileSync(path.join(library, name), "utf8")]));
const strict = { strict: true, target: ts.ScriptTarget.ES2022, noEmit: true, types: [] };

function say(diagnostic) {
  const { file, start, messageText } = diagnostic;
  const at = file ? `${path.basename(file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : "";
  return at + ts.flattenDiagnosticMessageText(messageText, " ");
}

function alone() {
  const rootNames = files.map((name) => path.resolve(library, name));
  return ts.getPreEmitDiagnostics(ts.createProgram({ rootNames, options: { ...strict, noLib: true } })).map(say);
}

// Our declarations: name -> where its name ends; and which of them the compiler defines by their name.
function declared(source, prefix = "") {
  return source.statements.flatMap((s) => {
    if (ts.isModuleDeclaration(s)) return declared(s.body, `${prefix}${s.name.text}.`);
    if (ts.isVariableStatement(s)) return s.declarationList.declarations.map((d) => entry(d, "value", prefix));
    return [entry(s, ts.isFunctionDeclaration(s) ? "value" : "type", prefix)];
  });
}

function entry(declaration, side, prefix) {
  const intrinsic = ts.isTypeAliasDeclaration(declaration) && declaration.type.getText() === "intrinsic";
  const parameters = declaration.typeParameters ?? [];
  return {
    name: prefix + declaration.name.text, side, intrinsic, end: declaration.name.end,
    whole: [declaration.pos, declaration.end],
    list: side === "type" && parameters.length ? `<${parameters.map((p) => p.getText()).join(", ")}>` : "",
    use: side === "type" && parameters.length ? `<${parameters.map((p) => p.name.text).join(", ")}>` : "",
  };
}

function renamed(text, entries) {
  let result = text;
  for (const e of [...entries].sort((a, b) => b.end - a.end)) {
    if (e.intrinsic) result = result.slice(0, e.whole[0]) + result.slice(e.whole[1]);
    else result = `${result.slice(0, e.end)}$${result.slice(e.end)}`;
  }
  return result;
}

function beside(sources) {
  const options = { ...strict, lib: ["lib.es2022.d.ts"], skipLibCheck: true };
  const host = ts.createCompilerHost(options, true);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language) =>
    sources.has(name) ? ts.createSourceFile(name, sources.get(name), language, true) : read(name, language);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => sources.has(name) || exists(name);
  return ts.createProgram({ rootNames: [...sources.keys()], options, host });
}

// The type parameters are those of a function around both, rigid and shared: nothing is inferred.
function question({ name, side, list, use }, n) {
  const query = side === "value" ? "typeof " : "";
  return `function f${n}${list}() {\n  type O$ = ${query}${name}$${use};\n  type T$ = ${query}${name}${use};\n}\n`;
}

function compare() {
  const sources = new Map();
  const entries = [];
  for (const [name, text] of texts) {
    const found = declared(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true));
    sources.set(`/ours/${name}`, renamed(text, found));
    entries.push(...found);
  }
  const known = new Set();
  const asked = entries.filter((e) => {
    const key = `${e.name} ${e.side}`;
    return !e.intrinsic && !known.has(key) && known.add(key);
  });
  sources.set("/asked.ts", `export {};\n${asked.map(question).join("")}`);
  const program = beside(sources);
  const checker = program.getTypeChecker();
  const at = program.getSourceFile("/asked.ts");
  const functions = at.statements.filter(ts.isFunctionDeclaration);
  const rows = asked.map(({ name, side }, n) => {
    const [ours, theirs] = functions[n].body.statements.map((s) => checker.getTypeFromTypeNode(s.type));
    return {
      name, side,
      forward: checker.isTypeAssignableTo(ours, theirs), back: checker.isTypeAssignableTo(theirs, ours),
      differing: members(checker, ours, theirs, at),
    };
  });
  const diagnostics = [...sources.keys()].flatMap((name) => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(say);
  });
  const own = new Set(entries.map((e) => `${e.name} ${e.side}`));
  const theirs = names(checker, at);
  return {
    rows, diagnostics,
    intrinsic: entries.filter((e) => e.intrinsic).map((e) => e.name),
    missing: [...theirs].filter((key) => !own.has(key)),
    extra: [...own].filter((key) => !theirs.has(key)),
  };
}

// "name side" of everything global in TypeScript's library, and inside its namespaces.
function names(checker, at) {
  const flags = ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Namespace;
  const inLibrary = (s) => s.declarations?.some((d) => /\/lib\.[^/]*\.d\.ts$/.test(d.getSourceFile().fileName));
  const walk = (symbols, prefix) => symbols.filter(inLibrary).flatMap((s) => [
    ...(s.flags & ts.SymbolFlags.Type ? [`${prefix}${s.name} type`] : []),
    ...(s.flags & (ts.SymbolFlags.Variable | ts.SymbolFlags.Function) ? [`${prefix}${s.name} value`] : []),
    ...(s.flags & ts.SymbolFlags.Namespace ? walk(checker.getExportsOfModule(s), `${prefix}${s.name}.`) : []),
  ]);
  return new Set(walk(checker.getSymbolsInScope(at, flags), ""));
}

// Members that are written differently, which is stricter than assignable: order of overloads, optional, aliases.
function members(checker, ours, theirs, at) {
  const named = (t) => new Map(checker.getPropertiesOfType(t).map((p) => [p.escapedName.toString().replace(/^__@(\w+)@\d+$/, "@@$1"), p]));
  const [left, right] = [named(ours), named(theirs)];
  const text = (symbol) => symbol
    ? shape(checker, checker.getTypeOfSymbolAtLocation(symbol, at), at) + (symbol.flags & ts.SymbolFlags.Optional ? "?" : "")
    : null;
  const differing = [...new Set([...left.keys(), ...right.keys()])]
    .map((member) => ({ member, ours: text(left.get(member)), theirs: text(right.get(member)) }))
    .concat({ member: "()", ours: shape(checker, ours, at), theirs: shape(checker, theirs, at) });
  return differing.filter((row) => row.ours !== row.theirs);
}

// A type as text, the same for ours and theirs if they are written alike.
function shape(checker, type, at) {
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.WriteArrayAsGenericType;
  const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()];
  const text = signatures.length
    ? signatures.map((s) => checker.signatureToString(s, at, flags)).join("; ")
    : checker.typeToString(type, at, flags);
  return text.replaceAll(/\$(?=[^\d&_`'+]|$)/g, "");
}

console.log(JSON.stringify({ alone: alone(), ...compare() }));
