import type { Command } from "commander";
import { group } from "../../kinds/group.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { upsertCommand } from "./upsert-command.ts";

const note = `\`members\` are added, and nobody is removed; \`owners\` (or \`admins\`) is the whole
list. A member that is written out is created; one that is only named and does
not exist yet is skipped with a warning.`;

/** `group upsert`: creates or updates groups from a file, as DataHub's own command does. */
export function groupCommand(io: Io, done: (code: ExitCode) => void): Command {
  return upsertCommand({ name: "group", kind: group, note }, io, done);
}
