// What does the compiler infer for functions without annotated results, and do we agree?
// node check_inferred.mjs list ROOT: prints each such exported function of ROOT/packages as a line of JSON.
// node check_inferred.mjs constants ROOT: the same for constants without annotation that a call initializes.
// node check_inferred.mjs judge ROOT REQUEST.json: compares our types with the compiler's.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [command, root, requestFile] = process.argv.slice(2);
const ts = createRequire(path.join(path.resolve(root), 'x.js'))('typescript');
const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
const settings = ts.parseJsonConfigFileContent(config, ts.sys, path.resolve(root));
const options = { ...settings.options, noEmit: true };
const parsed = new Map();

function programOf(texts, main) {
  const base = ts.createCompilerHost(options, true);
  const host = {
    ...base,
    fileExists: name => texts.has(name) || base.fileExists(name),
    readFile: name => texts.get(name) ?? base.readFile(name),
    getSourceFile(name, language) {
      if (texts.has(name)) return ts.createSourceFile(name, texts.get(name), language, true);
      if (!parsed.has(name)) parsed.set(name, base.getSourceFile(name, language));
      return parsed.get(name);
    },
  };
  return ts.createProgram({ rootNames: [...settings.fileNames, ...main], options, host });
}

const isFunction = node => ts.isArrowFunction(node) || ts.isFunctionExpression(node);
const hasModifier = (node, ...kinds) => (ts.getModifiers(node) ?? []).some(one => kinds.includes(one.kind));
const HIDDEN = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.AbstractKeyword];

// Yields the constants of a file that are initialized with a call.
function* constantsOf(source) {
  for (const one of source.statements.filter(ts.isVariableStatement)) {
    for (const variable of one.declarationList.declarations) {
      const called = variable.initializer && ts.isCallExpression(variable.initializer);
      if (called && !variable.type && ts.isIdentifier(variable.name)) yield [variable, variable.name.text, ''];
    }
  }
}

// Yields the functions of a file whose result is not annotated: its own, and the methods of its classes.
function* functionsOf(source) {
  const counts = new Map();
  for (const one of source.statements) {
    if (ts.isFunctionDeclaration(one) && one.name) counts.set(one.name.text, (counts.get(one.name.text) ?? 0) + 1);
  }
  for (const one of source.statements) {
    if (ts.isFunctionDeclaration(one) && one.name && one.body && !one.type && counts.get(one.name.text) === 1) {
      yield [one, one.name.text, ''];
    } else if (ts.isVariableStatement(one)) {
      for (const variable of one.declarationList.declarations) {
        const value = variable.initializer;
        if (ts.isIdentifier(variable.name) && !variable.type && value && isFunction(value) && !value.type) {
          yield [variable, variable.name.text, ''];
        }
      }
    } else if (ts.isClassDeclaration(one) && one.name && !one.typeParameters) {
      const methods = one.members.filter(member => ts.isMethodDeclaration(member) && ts.isIdentifier(member.name));
      for (const method of methods) {
        const again = methods.filter(other => other.name.text === method.name.text).length > 1;
        if (!method.body || method.type || again || hasModifier(method, ...HIDDEN)) continue;
        const side = hasModifier(method, ts.SyntaxKind.StaticKeyword) ? 'static' : 'instance';
        yield [method, `${one.name.text}.${method.name.text}`, side];
      }
    }
  }
}

function list(declarationsOf) {
  const program = programOf(new Map(), []);
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles()) {
    const file = path.relative(root, source.fileName);
    if (source.isDeclarationFile || !file.startsWith('packages/') || !source.symbol) continue;
    for (const [node, name, side] of declarationsOf(source)) {
      const exported = checker.tryGetMemberInModuleExports(name.split('.')[0], source.symbol);
      const symbol = exported && exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!symbol || !(side ? [node.parent] : [node]).some(one => symbol.declarations?.includes(one))) continue;
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      console.log(JSON.stringify({ file, name, side, line }));
    }
  }
}

function judge() {
  const { own, keys, functions } = JSON.parse(fs.readFileSync(requestFile, 'utf8'));
  const main = path.join(path.resolve(root), '__check_inferred.ts');
  const fileOf = key => {
    const file = key.slice(0, key.lastIndexOf('#'));
    return file.startsWith(`${own}/`) ? path.resolve(root, file.slice(own.length + 1)) : path.resolve(root, 'node_modules', file);
  };
  const first = programOf(new Map([[main, keys.filter(isFile).map((key, i) => `import type * as F${i} from ${JSON.stringify(fileOf(key))};`).join('\n')]]), [main]);
  const checker = first.getTypeChecker();
  const ambient = new Map(checker.getAmbientModules().map(symbol => [symbol.name, symbol]));
  const hidden = new Map();

  function hide(file, name) {
    if (!hidden.has(file.fileName)) hidden.set(file.fileName, new Set());
    hidden.get(file.fileName).add(name);
    return `__check_${name}`;
  }

  function reach(container, file, symbol, parts) {
    const from = `import(${file ? JSON.stringify(file.fileName) : container})`;
    const equals = symbol.exports?.get('export=');
    if (equals) {
      const target = equals.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(equals) : equals;
      if (parts[0] === target.name) return [from, ...parts.slice(1)].join('.');
    }
    if (checker.tryGetMemberInModuleExports(parts[0], symbol)) return [from, ...parts].join('.');
    if (!file || equals) return undefined;
    return [from, hide(file, parts[0]), ...parts.slice(1)].join('.');
  }

  const names = keys.map(key => {
    const cut = key.lastIndexOf('#');
    const container = key.slice(0, cut), name = key.slice(cut + 1);
    if (container === 'global') return name;
    const file = isFile(key) ? first.getSourceFile(fileOf(key)) : undefined;
    const symbol = file ? file.symbol : ambient.get(container);
    if (!symbol) return file ? name : undefined; // a script declares globals
    return reach(container, file, symbol, name.split('.'));
  });
  const theirs = functions.map(f => {
    const file = first.getSourceFile(path.resolve(root, f.file));
    const [head, method] = f.name.split('.');
    const at = reach('', file, file.symbol, [head]);
    return f.side === 'instance' ? `${at}[${JSON.stringify(method)}]` : `typeof ${method ? `${at}.${method}` : at}`;
  });
  const texts = new Map();
  for (const [file, own] of hidden) {
    const exported = [...own].map(name => `export { ${name} as __check_${name} };`);
    texts.set(file, `${first.getSourceFile(file).text}\n${exported.join('\n')}\n`);
  }
  const lines = functions.flatMap((f, i) => [
    `type V${i} = ${theirs[i]};`,
    `type W${i} = ${f.text.replace(/__typematch_key_(\d+)__/g, (_, n) => names[n] ?? '__unreachable')};`,
  ]);
  texts.set(main, [...lines, 'export {}'].join('\n'));
  const second = programOf(texts, [main]);
  const relation = second.getTypeChecker();
  const source = second.getSourceFile(main);
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  const problems = new Map();
  for (const one of [...second.getSyntacticDiagnostics(source), ...second.getSemanticDiagnostics(source)]) {
    const line = source.getLineAndCharacterOfPosition(one.start).line;
    if (!problems.has(line)) problems.set(line, ts.flattenDiagnosticMessageText(one.messageText, ' '));
  }
  functions.forEach((f, i) => {
    const [a, b] = [aliases[2 * i], aliases[2 * i + 1]].map(one => relation.getTypeFromTypeNode(one.type));
    console.log(JSON.stringify({
      ...f,
      problem: problems.get(2 * i) ?? problems.get(2 * i + 1),
      forward: relation.isTypeAssignableTo(b, a),
      back: relation.isTypeAssignableTo(a, b),
      compiler: relation.typeToString(a, undefined, ts.TypeFormatFlags.NoTruncation).slice(0, 400),
    }));
  });
}

function isFile(key) {
  return !key.startsWith('"') && !key.startsWith('global#');
}

if (command === 'judge') judge();
else list(command === 'list' ? functionsOf : constantsOf);
