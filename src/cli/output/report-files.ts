import { chmod, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { errorMessage } from "../../text/error-text.ts";
import { RunError } from "../errors.ts";
import type { Io } from "../io.ts";
import { type Format, formats } from "../../library/render.ts";

/** A file that a result is written to, in some form. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

/** Reads `report.json` or `markdown=report.md`; may be given several times. */
export function parseReportFile(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const form = formats.find((format) => text.startsWith(`${format}=`));
  const file = form === undefined ? text : text.slice(form.length + 1);
  if (file === "")
    throw new InvalidArgumentError("It must name a file, such as report.json or markdown=report.md.");
  return [...before, { format: form ?? "json", file }];
}

/** Writes a result to each of the files. Throws `RunError` when one cannot be written. */
export async function writeReports(
  files: readonly ReportFile[] = [],
  textAs: (format: Format) => string,
  io: Io,
): Promise<void> {
  for (const { format, file } of files) await writePrivately(file, textAs(format), io);
}

/** Writes a file that only its owner may read. Throws `RunError`. */
export async function writePrivately(file: string, text: string, io: Io): Promise<void> {
  try {
    const path = resolve(io.cwd, file);
    await writeFile(path, text, { mode: 0o600 });
    // The mode above is for a new file only.
    await chmod(path, 0o600);
  } catch (error) {
    throw new RunError(`${file} cannot be written: ${errorMessage(error)}`);
  }
}
