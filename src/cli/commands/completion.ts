/** Defines the command `completion`, which prints a shell script that completes commands, options, values and paths. */

import { Command } from "commander";
import { bashScript } from "../completion/bash.ts";
import { commandsOf } from "../completion/completed-command.ts";
import { fishScript } from "../completion/fish.ts";
import { zshScript } from "../completion/zsh.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { choiceArgument } from "../options/names.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** A shell that has a completion script. */
export type Shell = keyof typeof scripts;

/** All shells that have a completion script. */
export const shells = Object.keys(scripts) as readonly Shell[];

/** Defines the command. It prints a script for the program that the command belongs to. */
export function completionCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("completion")
    .addArgument(choiceArgument("<shell>", "your shell", shells))
    .addHelpText("after", howToInstall)
    .action((shell: Shell, _options: object, command: Command) => {
      io.stdout.write(completionScript(shell, command.parent ?? command));
      done(exitCodes.done);
    });
}

/** Returns a program's completion script. The script runs the program only to complete ids from manifests. */
export function completionScript(shell: Shell, program: Command): string {
  return scripts[shell](program.name(), commandsOf(program));
}

const howToInstall = `
Examples:
  # Add the line for your shell to its startup file
  # bash: ~/.bashrc
  eval "$(datahub-gitops completion bash)"
  # zsh: ~/.zshrc
  source <(datahub-gitops completion zsh)
  # fish: ~/.config/fish/config.fish
  datahub-gitops completion fish | source`;
