// Is what typematch writes for a function the type that the compiler gives it?
// node render_roundtrip.mjs TYPESCRIPT_FOLDER REQUEST.json, see render_roundtrip.py; prints a JSON line per function.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [tsFolder, requestFile] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(tsFolder));
const { corpus, keys, functions } = JSON.parse(fs.readFileSync(requestFile, 'utf8'));
const modules = path.join(corpus, 'node_modules');
const main = path.join(corpus, '__typematch_rendered.ts');
const options = {
  strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: ['node'], noEmit: true, skipLibCheck: true, esModuleInterop: true,
};
const parsed = new Map();

function programOf(texts) {
  const base = ts.createCompilerHost(options, true);
  const host = {
    ...base,
    getCurrentDirectory: () => corpus,
    fileExists: name => texts.has(name) || base.fileExists(name),
    readFile: name => texts.get(name) ?? base.readFile(name),
    getSourceFile(name, language) {
      if (texts.has(name)) return ts.createSourceFile(name, texts.get(name), language, true);
      if (!parsed.has(name)) parsed.set(name, base.getSourceFile(name, language));
      return parsed.get(name);
    },
  };
  return ts.createProgram({ rootNames: [main], options, host });
}

const fileOf = key => path.join(modules, key.slice(0, key.lastIndexOf('#')));
const isFile = key => !key.startsWith('"') && !key.startsWith('global#');
const imports = functions.map((f, i) => `type V${i} = typeof ${f.module ? `import(${JSON.stringify(f.module)})` : ''}${f.module && f.path ? '.' : ''}${f.path};`);
const referenced = [...new Set(keys.filter(isFile).map(fileOf))].map((f, i) => `import type * as F${i} from ${JSON.stringify(f)};`);

// First: where each declaration can be reached from, and which files hide some.
const first = programOf(new Map([[main, [...referenced, ...imports].join('\n')]]));
const checker = first.getTypeChecker();
const ambient = new Map(checker.getAmbientModules().map(symbol => [symbol.name, symbol]));
const hidden = new Map();
const names = keys.map(key => {
  const cut = key.lastIndexOf('#');
  const container = key.slice(0, cut), name = key.slice(cut + 1);
  if (container === 'global') return name;
  const file = isFile(key) ? first.getSourceFile(fileOf(key)) : undefined;
  const symbol = file ? file.symbol : ambient.get(container);
  if (!symbol) return file ? name : undefined; // a script declares globals
  const from = `import(${file ? JSON.stringify(fileOf(key)) : container})`;
  const parts = name.split('.');
  const equals = symbol.exports?.get('export=');
  if (equals) {
    const target = equals.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(equals) : equals;
    if (parts[0] === target.name) return [from, ...parts.slice(1)].join('.');
  }
  if (checker.tryGetMemberInModuleExports(parts[0], symbol)) return [from, ...parts].join('.');
  if (!file || equals) return undefined;
  if (!hidden.has(file.fileName)) hidden.set(file.fileName, new Set());
  hidden.get(file.fileName).add(parts[0]);
  return [from, `__typematch_${parts[0]}`, ...parts.slice(1)].join('.');
});

// Then: with all of them within reach, both types side by side.
const texts = new Map();
for (const [file, own] of hidden) {
  const exported = [...own].map(name => `export { ${name} as __typematch_${name} };`);
  texts.set(file, `${first.getSourceFile(file).text}\n${exported.join('\n')}\n`);
}
const written = functions.map((f, i) => `type W${i} = ${f.text.replace(/__typematch_key_(\d+)__/g, (_, n) => names[n] ?? '__unreachable')};`);
texts.set(main, [...referenced, ...imports, ...written].join('\n'));
const second = programOf(texts);
const judge = second.getTypeChecker();
const source = second.getSourceFile(main);
const aliases = new Map(source.statements.filter(ts.isTypeAliasDeclaration).map(one => [one.name.text, one]));
const problems = new Map();
for (const one of [...second.getSyntacticDiagnostics(source), ...second.getSemanticDiagnostics(source)]) {
  const line = source.getLineAndCharacterOfPosition(one.start).line;
  if (!problems.has(line)) problems.set(line, ts.flattenDiagnosticMessageText(one.messageText, ' '));
}
functions.forEach((f, i) => {
  const row = { id: f.id, text: written[i].slice(0, 2000) };
  const [theirs, ours] = [aliases.get(`V${i}`), aliases.get(`W${i}`)];
  const offset = referenced.length + i;
  row.unknown = problems.get(offset);
  row.unreadable = problems.get(offset + functions.length);
  if (theirs && ours) {
    const [a, b] = [judge.getTypeFromTypeNode(theirs.type), judge.getTypeFromTypeNode(ours.type)];
    row.forward = judge.isTypeAssignableTo(b, a);
    row.back = judge.isTypeAssignableTo(a, b);
    row.compiler = judge.typeToString(a, undefined, ts.TypeFormatFlags.NoTruncation).slice(0, 600);
  }
  console.log(JSON.stringify(row));
});
