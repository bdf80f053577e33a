// Builds a program module by module, with a call at the beginning and at each result of every function.
import { join, relative, sep } from "node:path";
import { rolldown } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/**
 * Builds `src/cli/program.ts` of a checkout with calls of `globalThis.walkTracer`: `take(id, values)` when a function begins, with what it takes
 * of its arguments, and `give(id, value)` with each result, which answers with that. The id is the file of the function and its place there. Builds the
 * local catalog as well, without such calls, since it is another program.
 */
export async function buildInstrumented(root, folder) {
  const source = join(root, "src");
  const instrument = {
    name: "instrument",
    transform: {
      filter: { id: /\.ts$/ },
      handler: (code, id) => instrumented(code, relative(source, id).replaceAll(sep, "/")),
    },
  };
  const [program, catalog] = await Promise.all([
    build(root, "src/cli/program.ts", join(folder, "program"), [instrument]),
    build(root, "src/local-catalog/server.ts", join(folder, "catalog"), []),
  ]);
  return { program, catalog };
}

async function build(root, input, dir, plugins) {
  const bundle = await rolldown({ cwd: root, input, platform: "node", external: /^[^./]/, plugins });
  await bundle.write({
    dir,
    cleanDir: true,
    preserveModules: true,
    preserveModulesRoot: "src",
    entryFileNames: "[name].mjs",
  });
  return join(dir, relative("src", input).replace(/\.ts$/, ".mjs"));
}

/** A source with these calls. */
export function instrumented(code, file) {
  const insertions = [];
  const insert = (at, text) => insertions.push({ at, text });
  const owners = [];
  const begin = (node) => {
    const id = JSON.stringify(`${file}:${node.start}`);
    owners.push(id);
    const take = `walkTracer.take(${id}, [${node.params.flatMap(namesOf).join(", ")}])`;
    if (node.body?.type === "BlockStatement") insert(node.body.start + 1, `${take};`);
    else if (node.body) {
      insert(node.body.start, `(${take}, walkTracer.give(${id}, `);
      insert(node.body.end, "))");
    }
  };
  const end = () => owners.pop();
  const give = ({ argument, delegate }) => {
    if (!argument || delegate) return;
    insert(argument.start, `walkTracer.give(${owners.at(-1)}, `);
    insert(argument.end, ")");
  };
  const { program } = parseSync(file, code, { preserveParens: true });
  new Visitor({
    FunctionDeclaration: begin,
    "FunctionDeclaration:exit": end,
    FunctionExpression: begin,
    "FunctionExpression:exit": end,
    ArrowFunctionExpression: begin,
    "ArrowFunctionExpression:exit": end,
    ReturnStatement: give,
    YieldExpression: give,
  }).visit(program);
  let result = "";
  let last = 0;
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    result += code.slice(last, at) + text;
    last = at;
  }
  return result + code.slice(last);
}

/** The names that a parameter binds. */
function namesOf(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      return pattern.name === "this" ? [] : [pattern.name];
    case "AssignmentPattern":
      return namesOf(pattern.left);
    case "RestElement":
      return namesOf(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap(namesOf);
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => namesOf(property.value ?? property));
    default:
      return [];
  }
}
