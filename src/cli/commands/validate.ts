import { Command } from "commander";
import { count } from "../../report/count.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { defaultDirectory, formatOption, settingsOption } from "../options/options.ts";
import type { Format } from "../../library/render.ts";
import { printProblems } from "../output/print.ts";
import { loadManifests, openRepository } from "../../scope/repository.ts";

/** `validate`: checks settings and manifests without a server. */
export function validateCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("validate")
    .argument("[dir]", "catalog directory", defaultDirectory)
    .addOption(settingsOption())
    .addOption(formatOption())
    .action(async (dir: string, options: { readonly settings?: string; readonly format: Format }) => {
      const location = { cwd: io.cwd, directory: dir, settingsFile: options.settings };
      const repository = await openRepository(location);
      const { files, documents, problems } = await loadManifests(repository, io.interrupted);
      const sentence = `Valid: ${count(documents, "document")} in ${count(files, "file")}.`;
      printProblems(problems, options.format, io, sentence);
      done(exitCodes.done);
    });
}
