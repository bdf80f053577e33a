/** Defines the command `fmt`, which applies the canonical format to manifests without changing their data or comments. */

import { Command } from "commander";
import { rewriteFile } from "../../files/rewrite-file.ts";
import {
  formatFiles,
  type FormatFindings,
  type UnformattedFile,
} from "../../manifests/edit/format/format-files.ts";
import { count } from "../../report/count.ts";
import { printableLine } from "../../report/printable.ts";
import { unifiedDiff } from "../../report/text/unified-diff.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { type ExitCode, exitCodes, highestPrecedence } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { common } from "../options/options.ts";
import { printProblems } from "../output/print.ts";
import { note, printError } from "../output/messages.ts";

interface Options {
  readonly settings?: string;
  readonly check?: boolean;
  readonly diff?: boolean;
}

/** Defines the command, which does not need a server. */
export function fmtCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("fmt")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .option("--check", "list unformatted files without changing them, and exit with 2 if any exist")
    .option("--diff", "print the changes without writing them");
  return addExamples(command, [
    ["Format the manifests", "fmt"],
    ["Fail in CI if a manifest is not formatted", "fmt --check"],
    ["Show what would change", "fmt --diff"],
  ]).action(async (dir: string | undefined, options: Options) => {
    const { settings } = options;
    const found = await formatFiles(catalogFor(dir, options, io), {
      cwd: io.cwd,
      settings,
      signal: io.interrupted,
    });
    const written = await printFindings(found, options, io);
    for (const { name } of found.kept)
      note(`${name}: left unchanged, because formatting would lose some of its content`, io);
    if (found.problems.length > 0) printProblems(found.problems, "text", io);
    done(highestPrecedence([written, found.problems.length > 0 && exitCodes.invalid]));
  });
}

async function printFindings(found: FormatFindings, { check, diff }: Options, io: Io): Promise<ExitCode> {
  const { unformatted, files } = found;
  const changed = `${unformatted.length} of ${count(files, "file")}`;
  if (diff === true) {
    for (const { name, before, after } of unformatted) io.stdout.write(unifiedDiff(name, before, after));
  }
  if (check !== true && diff !== true) return await writeFiles(unformatted, io);
  if (diff !== true) for (const { name } of unformatted) io.stdout.write(`${printableLine(name)}\n`);
  if (unformatted.length > 0)
    note(`Not formatted: ${changed}. Run datahub-gitops fmt to fix the formatting.`, io);
  return check === true && unformatted.length > 0 ? exitCodes.changes : exitCodes.done;
}

async function writeFiles(files: readonly UnformattedFile[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  for (const { name, path, after } of files) {
    io.interrupted.throwIfAborted();
    try {
      await rewriteFile(path, after);
      io.stdout.write(`${printableLine(name)}\n`);
    } catch (error) {
      printError(`cannot write ${name}: ${errorMessage(error)}`, io);
      code = exitCodes.error;
    }
  }
  return code;
}
