import type { Command } from "commander";
import { bashScript } from "./bash.ts";
import { commandsOf } from "./completed-command.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** A shell that a program can be completed in. */
export type Shell = keyof typeof scripts;

/** Every such shell. */
export const shells = Object.keys(scripts) as readonly Shell[];

/**
 * The script that completes a program in a shell. It is made of the program's own commands, options and choices, and holds
 * all of them, so the shell never starts the program to complete a word.
 */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](program.name(), commandsOf(program));
}
