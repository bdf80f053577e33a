import { Command } from "commander";
import type { Kind } from "../../kinds/kind.ts";
import { wrapped } from "../../report/wrapped.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addTargetOptions, formatOption, quietOption } from "../options/options.ts";
import { upsert, type UpsertOptions } from "../run/upsert.ts";

/** What differs between the commands of two kinds. */
interface About {
  readonly name: string;
  readonly kind: Kind;
  /** The text below the options: what the lists of a record mean. */
  readonly note: string;
}

/** A command with the subcommand `upsert`, which is the default, as in the command line of DataHub. */
export function upsertCommand({ name, kind, note }: About, io: Io, done: (code: ExitCode) => void): Command {
  const sub = new Command("upsert")
    .description(`create or update ${kind.plural} from a file, without asking for approval`)
    .requiredOption(
      "-f, --file <file>",
      `YAML file: one record or a list, with the fields of a ${kind.name} manifest`,
    )
    .option("--overwrite", "also unset the fields of the info aspect that a record does not have")
    .option("--dry-run", "show the plan and do not apply it");
  addTargetOptions(sub)
    .optionsGroup("Output:")
    .addOption(formatOption())
    .addOption(quietOption())
    .addHelpText("after", () => `\n${wrapped(note, io.stdout.columns, "")}`)
    .action(async (options: UpsertOptions) => done(await upsert(kind, options, io)));
  return new Command(name).addCommand(sub, { isDefault: true });
}
