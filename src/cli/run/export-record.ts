import { join } from "node:path";
import { FileError } from "../../files/file-error.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { compareText, isJsonObject, type JsonObject } from "../../model/json.ts";
import { errorCode } from "../../text/error-text.ts";
import { RunError, unwritable } from "../errors.ts";

/** What the last export wrote: by path below the catalog directory, a hash of what the file declared. */
export type ExportRecord = ReadonlyMap<string, string>;

/** The name of the file that keeps it. It begins with a dot, so it is no manifest. */
const fileName = ".datahub-gitops-export.json";

/** The largest record: one of a million files. */
const mostBytes = 200_000_000;

/** Reads the record of a catalog directory; it is empty where there is none. Throws `RunError` for what is no record. */
export function readRecord(root: string): ExportRecord {
  const path = join(root, fileName);
  try {
    return new Map(Object.entries(hashesIn(JSON.parse(readContainedFile(path, mostBytes).toString("utf8")))));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return new Map();
    if (error instanceof SyntaxError || error instanceof FileError || error instanceof TypeError)
      throw new RunError(
        `${path} cannot be read: ${error.message}. Remove it, then export with --force`,
        "export-record",
      );
    throw error;
  }
}

type Hashes = Readonly<Record<string, string>>;

function hashesIn(value: unknown): Hashes {
  const files: unknown = isJsonObject(value) && value["formatVersion"] === "1" ? value["files"] : undefined;
  if (areHashes(files)) return files;
  throw new TypeError("it is not a record of an export");
}

function areHashes(value: unknown): value is Hashes {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
}

/** Writes the record of a catalog directory. Throws `RunError` where it cannot be written. */
export async function writeRecord(root: string, record: ExportRecord): Promise<void> {
  const files: JsonObject = Object.fromEntries([...record].toSorted(([a], [b]) => compareText(a, b)));
  const path = join(root, fileName);
  const text = `${JSON.stringify({ formatVersion: "1", files }, null, 1)}\n`;
  try {
    await replaceFile(path, text, { mode: 0o644 });
  } catch (error) {
    throw unwritable(path, error);
  }
}
