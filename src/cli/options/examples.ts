/** Adds examples to a command's help. */

import type { Command } from "commander";

/**
 * Examples, each with its purpose and its command lines without the program's name. A line that begins with `$ ` is another shell
 * command.
 */
export type Examples = readonly (readonly [text: string, ...lines: readonly string[]])[];

/** Adds examples to the end of a command's help. */
export function addExamples(command: Command, examples: Examples): Command {
  const texts = examples.map(([text, ...lines]) => [`  # ${text}`, ...lines.map(lineOf)].join("\n"));
  return command.addHelpText("after", `\nExamples:\n${texts.join("\n\n")}`);
}

function lineOf(line: string): string {
  return `  ${line.startsWith("$ ") ? line.slice(2) : `datahub-gitops ${line}`}`;
}
