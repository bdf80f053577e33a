import type { Command } from "commander";
import { user } from "../../kinds/user.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { upsertCommand } from "./upsert-command.ts";

const note = `A user is then in the groups that \`groups\` lists and in no others; without the key
they stay. A group that does not exist yet is skipped with a warning.`;

/** `user upsert`: creates or updates users from a file, as DataHub's own command does. */
export function userCommand(io: Io, done: (code: ExitCode) => void): Command {
  return upsertCommand({ name: "user", kind: user, note }, io, done);
}
