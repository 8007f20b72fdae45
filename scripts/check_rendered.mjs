// node check_rendered.mjs MODULES FOLDER: compare our types of operations with openapi-typescript's, as JSON.
//
// FOLDER holds, for each document N, N.json (the document), ours-N.ts, and N.operations.json: a list of
// {key, path, method, media}.  Both files stand side by side in one program under `strict`, and each part
// of each operation (parameters by place, body, result) is one pair of types that the checker compares.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, folder, defaults] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(modules), "x.js"));
const ts = require("typescript");
const { default: openapiTS, astToString } = await import(
  pathToFileURL(path.join(path.resolve(modules), "node_modules/openapi-typescript/dist/index.mjs")).href
);
const PLACES = ["path", "query", "header", "cookie"];

const options = defaults === "defaults" ? {} : { emptyObjectsUnknown: true, defaultNonNullable: false };
const names = fs.readdirSync(folder).filter((name) => name.endsWith(".operations.json")).map((name) => name.split(".")[0]);

const PRELUDE = `
type Json<C> = { [K in keyof C as K extends \`\${string}json\${string}\` ? K : never]: C[K] };
type Body<C> = [keyof Json<C>] extends [never] ? C[keyof C] : Json<C>[keyof Json<C>];
type Held<R> = R extends { content: infer C } ? ([C] extends [never] ? void : Body<C>) : void;
type Good<R> = { [K in keyof R as \`\${K & (string | number)}\` extends \`2\${string}\` ? K : never]: Held<R[K]> };
type Result<R> = [keyof Good<R>] extends [never]
  ? ("default" extends keyof R ? Held<R["default" & keyof R]> : [keyof R] extends [never] ? unknown : void)
  : Good<R>[keyof Good<R>];
type Part<T, K> = K extends keyof T ? NonNullable<T[K]> : never;
type Given<T, M> = Part<Part<T, "requestBody">, "content"> extends infer C ? C[M & keyof C] : never;
type Sent<T, M> = T extends { requestBody: unknown } ? { must: Given<T, M> } : { may: Given<T, M> };
`;

function comparison(name, operations) {
  const lines = [`import type { Operations } from "./ours-${name}";`, `import type { paths } from "./theirs-${name}";`, PRELUDE];
  for (const [n, { key, path: at, method, media }] of operations.entries()) {
    const ours = `Operations[${JSON.stringify(key)}]`;
    const theirs = `paths[${JSON.stringify(at)}][${JSON.stringify(method)}]`;
    for (const place of PLACES) {
      lines.push(`type ours_${n}_${place} = ${ours}["${place}"]; type theirs_${n}_${place} = Part<${theirs}["parameters"], "${place}">;`);
    }
    lines.push(`type ours_${n}_body = ${ours}["body"]; type theirs_${n}_body = ${media ? `Sent<${theirs}, ${JSON.stringify(media)}>` : "never"};`);
    lines.push(`type ours_${n}_result = ${ours}["result"]; type theirs_${n}_result = Result<${theirs}["responses"]>;`);
  }
  return lines.join("\n");
}

const inputs = new Map();
for (const name of names) {
  const operations = JSON.parse(fs.readFileSync(path.join(folder, `${name}.operations.json`), "utf8"));
  const document = pathToFileURL(path.resolve(folder, `${name}.json`));
  const log = console.log; console.log = () => {};
  fs.writeFileSync(path.join(folder, `theirs-${name}.ts`), astToString(await openapiTS(document, { ...options, silent: true })));
  console.log = log;
  fs.writeFileSync(path.join(folder, `both-${name}.ts`), comparison(name, operations));
  inputs.set(name, operations);
}

const rootNames = names.map((name) => path.resolve(folder, `both-${name}.ts`));
const program = ts.createProgram({ rootNames, options: { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, types: [], skipLibCheck: true, noErrorTruncation: true } });
const checker = program.getTypeChecker();

function alias(source) {
  const found = new Map();
  for (const statement of source.statements) if (ts.isTypeAliasDeclaration(statement)) found.set(statement.name.text, statement);
  return found;
}

// How many leaves of a type say nothing, of how many.  A type inside itself is not entered again; one that
// occurs twice counts twice, because whether two places share it is the writer's manner.
function leaves(type, open, count) {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) { count.vague++; count.all++; return; }
  if (open.has(type)) return;
  open.add(type);
  const inside = type.isUnion() || type.isIntersection() ? type.types
    : !(type.flags & ts.TypeFlags.Object) ? undefined
    : checker.isArrayType(type) || checker.isTupleType(type) ? checker.getTypeArguments(type)
    : [...checker.getPropertiesOfType(type).map((one) => checker.getTypeOfSymbol(one)), ...checker.getIndexInfosOfType(type).map((one) => one.type)];
  if (inside) for (const part of inside) leaves(part, open, count);
  else count.all++;
  open.delete(type);
}

const result = { errors: {}, operations: [], vague: { ours: { vague: 0, all: 0 }, theirs: { vague: 0, all: 0 } } };
for (const name of names) {
  for (const kind of ["ours", "both"]) {
    const source = program.getSourceFile(path.resolve(folder, `${kind}-${name}.ts`));
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    if (found.length) result.errors[`${kind}-${name}`] = found.slice(0, 5).map((one) => ts.flattenDiagnosticMessageText(one.messageText, " "));
  }
  const aliases = alias(program.getSourceFile(path.resolve(folder, `both-${name}.ts`)));
  for (const [n, operation] of inputs.get(name).entries()) {
    const differing = [];
    for (const part of [...PLACES, "body", "result"]) {
      const [ours, theirs] = ["ours", "theirs"].map((side) => checker.getTypeFromTypeNode(aliases.get(`${side}_${n}_${part}`).type));
      leaves(ours, new Set(), result.vague.ours);
      leaves(theirs, new Set(), result.vague.theirs);
      const [to, from] = [checker.isTypeAssignableTo(ours, theirs), checker.isTypeAssignableTo(theirs, ours)];
      if (!to || !from) {
        const text = (type) => checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias).slice(0, 600);
        differing.push({ part, ours_to_theirs: to, theirs_to_ours: from, ours: text(ours), theirs: text(theirs) });
      }
    }
    result.operations.push({ document: name, key: operation.key, differing });
  }
}
console.log(JSON.stringify(result));
