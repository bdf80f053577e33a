/**
 * JSON as other clients write a value into a field of type bytes (Python's `json.dumps`): in ASCII, and whole doubles with a decimal
 * point.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"double":-?\d+(?![\d.e])/g, "$&.0")
    .replace(/[\u007F-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
