import type { Command } from "commander";
import { group } from "../../kinds/group.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { upsertCommand } from "./upsert-command.ts";

const note =
  "`members` are added; no member is removed. `owners` (or `admins`) replaces the list of owners. Members given with their fields are created. Members given by id, and owners, that do not exist are skipped with a warning; then no owner is removed.";

/** `group upsert`: creates or updates groups from a file, as the command of DataHub does. */
export function groupCommand(io: Io, done: (code: ExitCode) => void): Command {
  return upsertCommand({ name: "group", kind: group, note }, io, done);
}
