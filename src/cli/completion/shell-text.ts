import type { CompletedCommand, Value } from "./completed-command.ts";

/** The name of the function that completes a program. */
export function functionNameOf(program: string): string {
  return `_${program.replaceAll(/\W/g, "_")}`;
}

/** A text as one word of bash and zsh that nothing in it ends or expands. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Where a word on the command line leads: from the command before it to that of its own. */
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

/** What follows each option that takes a value. A key is a command and the option after it. */
export function optionCases(
  commands: readonly CompletedCommand[],
): readonly { readonly keys: readonly string[]; readonly value: Value }[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value ? [{ keys: flags.map((flag) => `${path.join(" ")} ${flag}`), value }] : [],
    ),
  );
}
