/** Adds examples to a command's help. */

import type { Command } from "commander";

/**
 * Examples, each with its purpose and its command lines. The program name is added at the start of each line, except for lines
 * that begin with `$ `, which are other shell commands.
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
