// node check_adapters.mjs MODULES FOLDER < CASES: what tsc says about modules, as JSON.
//
// MODULES has node_modules/typescript.  FOLDER is a project with node_modules; the modules are compiled as if they
// were in it.  CASES is a list of {id, text}.  Prints {id: [message, ...]}, an empty list for what is accepted.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [modules, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const require = createRequire(path.join(modules, "x.js"));
const ts = require("typescript");
const BATCH = 1000;
const MESSAGES = 3;

const options = {
  strict: true, noEmit: true, skipLibCheck: true, esModuleInterop: true,
  target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force, lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: fs.existsSync(path.join(folder, "node_modules/@types/node")) ? ["node"] : [],
};
const parsed = new Map();

function host(files) {
  const base = ts.createCompilerHost(options, true);
  return {
    ...base,
    getCurrentDirectory: () => folder,
    fileExists: (name) => files.has(name) || ts.sys.fileExists(name),
    readFile: (name) => files.get(name) ?? ts.sys.readFile(name),
    writeFile() {},
    getSourceFile(name, language) {
      if (files.has(name)) return ts.createSourceFile(name, files.get(name), language, true);
      if (!parsed.has(name)) {
        const text = ts.sys.readFile(name);
        parsed.set(name, text === undefined ? undefined : ts.createSourceFile(name, text, language, true));
      }
      return parsed.get(name);
    },
  };
}

const cases = JSON.parse(fs.readFileSync(0, "utf8"));
const result = {};
for (let start = 0; start < cases.length; start += BATCH) {
  const batch = cases.slice(start, start + BATCH);
  const files = new Map(batch.map(({ text }, index) => [path.join(folder, `adapter-${index}.ts`), text]));
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host: host(files) });
  for (const [index, { id }] of batch.entries()) {
    const source = program.getSourceFile(path.join(folder, `adapter-${index}.ts`));
    let found;
    try {
      found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    } catch (error) {
      found = [{ code: 0, messageText: `the checker threw: ${error.message}` }];
    }
    result[id] = found.slice(0, MESSAGES).map((one) => `TS${one.code}: ${ts.flattenDiagnosticMessageText(one.messageText, " ")}`);
  }
}
console.log(JSON.stringify(result));
