/** Quotes words for shells, and builds the function names and word tables of completion scripts. */

import type { CompletedCommand, Value } from "./completed-command.ts";

/** Returns the name of the shell function that completes a program. */
export function functionNameOf(program: string): string {
  return `_${program.replaceAll(/\W/g, "_")}`;
}

/** Quotes text as a single word for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the transitions from commands to their subcommands, each with the word that triggers the transition. */
export function transitions(
  commands: readonly CompletedCommand[],
): readonly { readonly from: string; readonly word: string; readonly to: string }[] {
  return commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => ({
      from: path.slice(0, -1).join(" "),
      word: path.at(-1) ?? "",
      to: path.join(" "),
    }));
}

/**
 * Returns the options that accept a value, each with its lookup keys. A key consists of a command and one of the option's flags.
 */
export function optionCases(
  commands: readonly CompletedCommand[],
): readonly { readonly keys: readonly string[]; readonly value: Value }[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value ? [{ keys: flags.map((flag) => `${path.join(" ")} ${flag}`), value }] : [],
    ),
  );
}
