import { Command } from "commander";
import { group } from "../../kinds/group.ts";
import type { Kind } from "../../kinds/kind.ts";
import { user } from "../../kinds/user.ts";
import { wrapped } from "../../report/text/wrapped.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { addTargetOptions, formatOption, quietOption } from "../options/options.ts";
import { upsert, type UpsertOptions } from "../run/upsert.ts";

type Done = (code: ExitCode) => void;

/** `user upsert`: creates or updates users from a file, as the command of DataHub does. */
export function userCommand(io: Io, done: Done): Command {
  const note =
    "The user is added to its `groups`, and removed from none. Groups that do not exist are skipped with a warning.";
  return new Command("user").addCommand(upsertCommand(user, note, io, done), { isDefault: true });
}

/** `group upsert`: creates or updates groups from a file, as the command of DataHub does. */
export function groupCommand(io: Io, done: Done): Command {
  const note =
    "`members` are added; no member is removed. `owners` (or `admins`) replaces the list of owners. Members given with their fields are created. Members given by id, and owners, that do not exist are skipped with a warning; then no owner is removed.";
  return new Command("group").addCommand(upsertCommand(group, note, io, done), { isDefault: true });
}

function upsertCommand(kind: Kind, note: string, io: Io, done: Done): Command {
  const command = new Command("upsert")
    .description(`create or update ${kind.plural} from a file, without asking for approval`)
    .requiredOption(
      "-f, --file <file>",
      `YAML file: one record or a list, with the fields of a ${kind.name} manifest`,
    )
    .option("--overwrite", "also unset the fields of the info aspect that a record does not have")
    .option("--dry-run", "show the plan and do not apply it");
  return addTargetOptions(command)
    .optionsGroup("Output:")
    .addOption(formatOption())
    .addOption(quietOption())
    .addHelpText("after", () => `\n${wrapped(note, io.stdout.columns, "")}`)
    .action(async (options: UpsertOptions) => done(await upsert(kind, options, io)));
}
