import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const readme = fileURLToPath(new URL("../../README.md", import.meta.url));
const section = /(?<=<!-- bench -->\n)[^]*?(?=<!-- \/bench -->)/;

/**
 * Puts a text between the README's marks `<!-- bench -->` and `<!-- /bench -->`. Tells whether they are there.
 * @param {string} text
 */
export function writeReadmeSection(text) {
  const before = existsSync(readme) ? readFileSync(readme, "utf8") : "";
  if (!section.test(before)) return false;
  writeFileSync(
    readme,
    before.replace(section, () => `\n${text}\n`),
  );
  return true;
}
