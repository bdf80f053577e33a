import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const section = /(?<=<!-- bench -->\n)[^]*?(?=<!-- \/bench -->)/;

/**
 * Puts a text between the marks `<!-- bench -->` and `<!-- /bench -->` of a page. Returns whether it has them.
 * @param {string} page its path from the top of the repository
 * @param {string} text
 */
export function writeBenchSection(page, text) {
  const path = fileURLToPath(new URL(`../../${page}`, import.meta.url));
  const before = readFileSync(path, "utf8");
  if (!section.test(before)) return false;
  writeFileSync(
    path,
    before.replace(section, () => `\n${text}\n`),
  );
  return true;
}
