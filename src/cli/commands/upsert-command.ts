import { Command } from "commander";
import type { Kind } from "../../kinds/kind.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addTargetOptions, formatOption } from "../options/options.ts";
import { upsert, type UpsertOptions } from "../run/upsert.ts";

/** What is particular to the command of one kind. */
interface About {
  readonly name: string;
  readonly kind: Kind;
  /** What the lists of a record mean. */
  readonly note: string;
}

/** A command with `upsert`, which also runs where no sub-command is named, as at DataHub's own. */
export function upsertCommand({ name, kind, note }: About, io: Io, done: (code: ExitCode) => void): Command {
  const sub = addTargetOptions(
    new Command("upsert")
      .description(`create or update ${kind.plural} from a file; asks nothing`)
      .requiredOption(
        "-f, --file <file>",
        `YAML: one record or a list, the fields of a ${kind.name} manifest`,
      )
      .option("--dry-run", "show what would change and change nothing"),
  )
    .addOption(formatOption())
    .option("--quiet", "no progress and no notes")
    .addHelpText("after", `\n${note}`)
    .action(async (options: UpsertOptions) => done(await upsert(kind, options, io)));
  return new Command(name)
    .description(`create or update ${kind.plural}`)
    .addCommand(sub, { isDefault: true });
}
