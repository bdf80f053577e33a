import type { Command } from "commander";
import { user } from "../../kinds/user.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { upsertCommand } from "./upsert-command.ts";

const note =
  "The user is added to its `groups`, and removed from none. Groups that do not exist are skipped with a warning.";

/** `user upsert`: creates or updates users from a file, as the command of DataHub does. */
export function userCommand(io: Io, done: (code: ExitCode) => void): Command {
  return upsertCommand({ name: "user", kind: user, note }, io, done);
}
