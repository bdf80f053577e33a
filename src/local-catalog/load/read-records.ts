/** Reads records from metadata files in the JSON dialect that Python writes. */

import { readFile } from "node:fs/promises";
import { isJsonList, type Json } from "../../model/json.ts";
import { LocalCatalogError, messageOf } from "../errors.ts";

/**
 * Reads the records in a metadata file, which contains a JSON list or a single record. As in Python, the encoding is UTF-8 or
 * UTF-16, with or without a byte order mark (json.detect_encoding).
 * @throws LocalCatalogError when the file cannot be read. The message includes the file.
 */
export async function readRecords(file: string): Promise<readonly Json[]> {
  try {
    const content = parsePythonJson(decoded(await readFile(file)));
    return isJsonList(content) ? content : [content];
  } catch (error) {
    throw new LocalCatalogError(`${file} cannot be loaded: ${messageOf(error)}.`);
  }
}

/**
 * Parses JSON that can contain NaN and infinite numbers, as Python writes them. These numbers become null, because JSON cannot
 * express them.
 * @throws SyntaxError when the text is not valid JSON after this replacement.
 */
export function parsePythonJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return JSON.parse(text.replaceAll(stringOrNumber, (token) => (token.startsWith('"') ? token : "null")));
  }
}

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|NaN|-?Infinity/gs;

function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.toString("utf16le", 2);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
