import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const section = /(?<=<!-- bench -->\n)[^]*?(?=<!-- \/bench -->)/;

/**
 * Puts texts between the marks `<!-- bench -->` and `<!-- /bench -->` of pages that have them, and tells which.
 * @param {Readonly<Record<string, string>>} texts by the page
 */
export function writeBenchSections(texts) {
  return Object.entries(texts).flatMap(([page, text]) => {
    const path = fileURLToPath(new URL(`../../${page}`, import.meta.url));
    const before = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (!section.test(before)) return [];
    writeFileSync(
      path,
      before.replace(section, () => `\n${text}\n`),
    );
    return [page];
  });
}
