import { extname, resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { type FileWriting, replaceFile } from "../../files/replace-file.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { type ExitCode, exitCodes } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { type Format, formats } from "../../report/format.ts";
import { printError } from "./messages.ts";

/** A file that a result is written to, with its format. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

/** The formats by the extensions of files that have them. */
const formatsByExtension: ReadonlyMap<string, Format> = new Map([
  [".json", "json"],
  [".md", "markdown"],
  [".html", "html"],
  [".sarif", "sarif"],
  [".xml", "junit"],
]);

/**
 * Parses `report.md` or `gitlab=report.json`. Without a format the extension says it, and it is JSON for any other extension.
 * `./a=b.json` names a file with that sign. The flag can be repeated.
 */
export function parseReportFile(text: string, before: readonly ReportFile[] = []): readonly ReportFile[] {
  const form = formats.find((format) => text.startsWith(`${format}=`));
  const file = form === undefined ? text : text.slice(form.length + 1);
  const unknown = form === undefined ? /^\w+(?==)/.exec(text)?.[0] : undefined;
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no format ${unknown}. Use one of ${formats.join(", ")}, or ./${text} for a file of that name.`,
    );
  if (file === "")
    throw new InvalidArgumentError("Use a file name, such as report.json or markdown=report.md.");
  return [...before, { format: form ?? formatsByExtension.get(extname(file).toLowerCase()) ?? "json", file }];
}

/** Writes a file that only its owner can read unless `writing` says otherwise. Exit code 1, with an error, where it cannot. */
export async function writeResult(
  file: string,
  text: string | Iterable<string>,
  io: Io,
  writing: FileWriting = {},
): Promise<ExitCode> {
  try {
    await replaceFile(resolve(io.cwd, file), text, writing);
    return exitCodes.done;
  } catch (error) {
    printError(`cannot write ${file}: ${errorMessage(error)}`, io);
    return exitCodes.error;
  }
}
