// Lints the words that users read, in documents and in the texts of the program. Prints what it finds, and then ends with 1.
import { sourcesIn } from "../architecture/imports.mjs";
import { lintProse } from "./prose.mjs";
import { documentsIn, textsIn } from "./texts.mjs";

const root = process.cwd();
const findings = [];
for (const [file, text] of documentsIn(root))
  for (const { line, message } of await lintProse(text)) findings.push(`${file}:${line}: ${message}`);

for (const [file, source] of sourcesIn(root)) {
  const texts = textsIn(source);
  // A text is a paragraph of one line. The empty lines between them are not counted.
  for (const { line, message } of await lintProse(texts.map(({ text }) => text).join("\n\n")))
    findings.push(`src/${file}:${texts[(line - 1) / 2].line}: ${message}`);
}
for (const finding of findings) console.error(finding);
process.exitCode = findings.length > 0 ? 1 : 0;
