import { Argument, Command } from "commander";
import { completionScript, type Shell, shells } from "../completion/scripts.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** `completion`: prints a script that completes commands, options and paths in a shell. */
export function completionCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("completion")
    .addArgument(new Argument("<shell>", "name of the shell").choices(shells))
    .addHelpText("after", howToInstall)
    .action((shell: Shell, _options: object, command: Command) => {
      io.stdout.write(completionScript(shell, command.parent ?? command));
      done(exitCodes.done);
    });
}

const howToInstall = `
Add the line of your shell to its startup file:
  bash  eval "$(datahub-gitops completion bash)"
  zsh   source <(datahub-gitops completion zsh)
  fish  datahub-gitops completion fish | source
`;
