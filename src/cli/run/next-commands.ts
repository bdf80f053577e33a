/** Suggests the commands to run after `init`. */

import { isSameAddress } from "../../datahub/endpoint.ts";
import { printableLine } from "../../report/printable.ts";
import { quoted } from "../completion/shell-text.ts";
import type { Io } from "../io.ts";
import { defaultDirectory } from "../options/options.ts";
import type { TargetOptions } from "../options/target.ts";

/** The result of `init`. */
export interface SetUp {
  readonly dir: string;
  readonly hasManifests: boolean;
  /** Whether the catalog was exported. */
  readonly exports: boolean;
  readonly server: string | undefined;
  readonly options: TargetOptions & { readonly env?: string };
  /** The created and changed files, not including exported manifests. */
  readonly written: readonly string[];
}

/** Returns the commands to run next, quoted for a shell. */
export function nextCommands(made: SetUp, io: Io): string {
  const { dir, hasManifests, exports, written } = made;
  const directory = dir === defaultDirectory ? [] : [dir];
  const target = [...environmentOf(made), ...targetOf(made, io)];
  const [validate, plan, write, apply] = [
    ["datahub-gitops", "validate", ...directory, ...environmentOf(made)],
    ["datahub-gitops", "plan", ...directory, ...target],
    ["datahub-gitops", "export", ...directory, ...target],
    ["datahub-gitops", "apply", ...directory, ...target],
  ];
  const add = ["git", "add", dir, ...written.filter((name) => !name.startsWith(`${dir}/`))];
  const commit = ["git", "commit", "--message", "Declare the catalog"];
  // An apply after an export does not change the catalog, but records the commit as the base.
  const commands = hasManifests || exports ? [validate, plan, add, commit, apply] : [write, validate, plan];
  return `Next:\n${commands.map((words) => `  ${words.map(shellWord).join(" ")}\n`).join("")}`;
}

function environmentOf({ options: { env } }: SetUp): readonly string[] {
  return env === undefined ? [] : ["--env", env];
}

/** Returns the options that select the target. If environment variables already select the target, returns no options. */
function targetOf({ server, options }: SetUp, io: Io): readonly string[] {
  if (options.local === true)
    return ["--local", ...(options.data === undefined ? [] : ["--data", options.data])];
  const known = io.env["DATAHUB_GMS_URL"]?.trim() ?? "";
  if (server === undefined || isSameAddress(known, server)) return [];
  return ["--server", server];
}

/** Quotes text as a single shell word. */
export function shellWord(text: string): string {
  const word = printableLine(text);
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
}
