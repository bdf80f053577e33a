import { chmod, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { errorMessage } from "../../text/error-text.ts";
import { RunError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type Format, formats } from "../../library/render.ts";

/** A file that a result is written to, with its format. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

/** Parses `report.json` or `markdown=report.md`. The flag can be repeated. */
export function parseReportFile(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const form = formats.find((format) => text.startsWith(`${format}=`));
  const file = form === undefined ? text : text.slice(form.length + 1);
  if (file === "")
    throw new InvalidArgumentError("Use a file name, such as report.json or markdown=report.md.");
  return [...before, { format: form ?? "json", file }];
}

/** The files that hold a result of this run: a later failure does not replace it. */
const written = new WeakSet<ReportFile>();

/** Writes a result to each file that has none yet. Throws `RunError` in the end if a file cannot be written. */
export async function writeReports(
  files: readonly ReportFile[] = [],
  textAs: (format: Format) => string,
  io: Io,
): Promise<void> {
  const failures: unknown[] = [];
  for (const report of files) {
    if (written.has(report)) continue;
    try {
      await writePrivately(report.file, textAs(report.format), io);
      written.add(report);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Writes a file that only its owner can read. Throws `RunError`. */
export async function writePrivately(file: string, text: string, io: Io): Promise<void> {
  try {
    const path = resolve(io.cwd, file);
    await writeFile(path, text, { mode: 0o600 });
    // The mode above applies only to a new file.
    await chmod(path, 0o600);
  } catch (error) {
    throw new RunError(`cannot write ${file}: ${errorMessage(error)}`, "unwritable-file");
  }
}
