/**
 * The plain name of a column: of a v2 field path what is left without its bracketed tokens, of any other path the
 * path itself (DataHub docs/advanced/field-path-spec-v2.md). Two paths can have the same one.
 */
export function simpleColumn(fieldPath: string): string {
  if (!fieldPath.startsWith("[version=2.0]")) return fieldPath;
  return fieldPath
    .replace(/\[[^\]]*\]/g, "")
    .split(".")
    .filter((token) => token !== "")
    .join(".");
}
