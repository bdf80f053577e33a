/** Parses `--report` values, and writes result files. */

import { extname, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { type WriteOptions, replaceFile } from "../../files/replace-file.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { type Format, formats } from "../../report/format.ts";
import { printError } from "./messages.ts";

/** A file to write a result to, and its format. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

/** The format for each file extension. */
const formatsByExtension: ReadonlyMap<string, Format> = new Map([
  [".json", "json"],
  [".md", "markdown"],
  [".html", "html"],
  [".sarif", "sarif"],
  [".xml", "junit"],
]);

/**
 * Parses a value such as `report.md` or `gitlab=report.json` for a repeatable flag. If no format is given, it is derived from the
 * file extension, with JSON as the default. A file name that contains an equals sign is written as `./a=b.json`.
 */
export function parseReportFile(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const form = formats.find((format) => text.startsWith(`${format}=`));
  const file = form === undefined ? text : text.slice(form.length + 1);
  const unknown = form === undefined ? /^\w+(?==)/.exec(text)?.[0] : undefined;
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no format ${unknown}. Use one of ${formats.join(", ")}, or ./${text} for a file with that name.`,
    );
  if (file === "")
    throw new InvalidArgumentError("Use a file name, such as report.json or markdown=report.md.");
  return [...before, { format: form ?? formatsByExtension.get(extname(file).toLowerCase()) ?? "json", file }];
}

/** Writes a file that only its owner can read, unless `writing` sets a mode. If writing fails, prints an error and returns 1. */
export async function writeResult(
  file: string,
  text: string | Iterable<string>,
  io: Io,
  writing: WriteOptions = {},
): Promise<ExitCode> {
  try {
    await replaceFile(resolve(io.cwd, file), text, writing);
    return exitCodes.done;
  } catch (error) {
    printError(`cannot write ${file}: ${errorMessage(error)}`, io);
    return exitCodes.error;
  }
}
