/** Describes commands, options and values for shell completion, based on the command definitions. */

import { facets, isDeclarable } from "../../facets/index.ts";
import { kinds } from "../../kinds/index.ts";
import { type Command, Help } from "commander";
import { idTypes, type IdType } from "./ids.ts";

/** The value of an option or argument: a word from a list, an id from the manifests, a path, or text that cannot be completed. */
export type Value =
  | { readonly is: "choice"; readonly choices: readonly string[] }
  | { readonly is: "id"; readonly of: IdType }
  | { readonly is: "file" | "directory" | "text" };

/** An option to complete. */
export interface CompletedOption {
  /** The short and long flags, including dashes. */
  readonly flags: readonly string[];
  readonly description: string;
  /** The value to complete, or `undefined` if the option does not accept a value. */
  readonly value: Value | undefined;
}

/** A command and everything that can follow it on the command line. */
export interface CompletedCommand {
  /** The words after the program name. Empty for the program itself. */
  readonly path: readonly string[];
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly Value[];
}

/** Describes a program and all its commands, except for hidden commands. */
export function commandsOf(program: Command, path: readonly string[] = []): readonly CompletedCommand[] {
  const help = new Help();
  const subcommands = help.visibleCommands(program);
  const own: CompletedCommand = {
    path,
    subcommands: subcommands.map((command) => ({
      name: command.name(),
      description: help.subcommandDescription(command),
    })),
    options: help
      .visibleOptions(program)
      .map(({ short, long, description, argChoices, flags, required, optional }) => ({
        flags: [short, long].flatMap((flag) => flag ?? []),
        description,
        value: required || optional ? valueOf(argChoices, flags) : undefined,
      })),
    arguments: program.registeredArguments.map((argument) => valueOf(argument.argChoices, argument.name())),
  };
  return [own, ...subcommands.flatMap((command) => commandsOf(command, [...path, command.name()]))];
}

// Determines how to complete a value, based on its placeholder in the help, such as `<file>`, `[dir]`, `[path]`, `<kind>` or
// `<policy>`. Values with other placeholders are text.
function valueOf(choices: readonly string[] | undefined, placeholder: string): Value {
  if (choices) return { is: "choice", choices };
  const name = placeholder.replace(/^.* /, "").replaceAll(/[^a-z]/g, "");
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  if (known) return { is: "choice", choices: known.map((each) => each.name) };
  const of = idTypes.find((type) => type === name);
  if (of) return { is: "id", of };
  if (/file|path/.test(name)) return { is: "file" };
  return { is: name.includes("dir") ? "directory" : "text" };
}

/** The names to offer for a value, keyed by the value's placeholder in the help. */
const names: Readonly<Record<string, readonly { readonly name: string }[]>> = {
  kind: kinds,
  facet: facets.filter(isDeclarable),
};
