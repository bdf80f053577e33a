import { isJsonList, isJsonObject, type Json } from "../../../src/model/json.ts";

const width = 140;

/** JSON for people: what fits into a line is one. */
export function compactJson(value: Json, indent = "", room = width): string {
  const line = onOneLine(value);
  if (line.length <= room || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  const left = width - inner.length - 1;
  if (isJsonList(value)) {
    const items = value.map((item) => `${inner}${compactJson(item, inner, left)}`);
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([key, field = null]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${inner}${name}${compactJson(field, inner, left - name.length)}`;
  });
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

function onOneLine(value: Json): string {
  if (isJsonList(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, field = null]) => `${JSON.stringify(key)}: ${onOneLine(field)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
