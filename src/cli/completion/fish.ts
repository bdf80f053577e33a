/** Generates the completion script for fish. */

import type { CompletedCommand, CompletedOption, Value } from "./completed-command.ts";
import { functionNameOf, transitions } from "./shell-text.ts";

/** Returns the script for fish. The script first removes existing completions for the program. */
export function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = `_${functionNameOf(program)}_at`;
  const at = (path: readonly string[]): string =>
    `complete -c ${program} -n ${fishQuoted(`test (${name}) = "${path.join(" ")}"`)}`;
  return `# Completion of ${program} for fish. Made by "${program} completion fish"; changes here are lost.
function ${name} --description 'Prints the command that the words before the cursor name'
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
${transitions(commands)
  .map(
    ({ from, word, to }) =>
      `            case ${fishQuoted(`${from} ${word}`)}\n                set at ${fishQuoted(to)}`,
  )
  .join("\n")}
        end
    end
    echo "$at"
end
complete -c ${program} -e
complete -c ${program} -f
${commands.flatMap((command) => linesOf(command, at(command.path), program)).join("\n")}
`;
}

function linesOf(command: CompletedCommand, start: string, program: string): readonly string[] {
  const { subcommands, options, arguments: values } = command;
  return [
    ...subcommands.map(
      ({ name, description }) => `${start} -a ${fishQuoted(name)} -d ${fishQuoted(description)}`,
    ),
    ...values.filter(({ is }) => is !== "text").map((value) => `${start} ${wordsOf(value, program)}`),
    ...options.map((option) => `${start} ${optionOf(option, program)}`),
  ];
}

function optionOf({ flags, description, value }: CompletedOption, program: string): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes =
    value === undefined ? [] : ["-r", ...(value.is === "text" ? ["-f"] : [wordsOf(value, program)])];
  return [...names, ...takes, "-d", fishQuoted(description)].join(" ");
}

function wordsOf(value: Value, program: string): string {
  if (value.is === "choice") return `-f -a ${fishQuoted(value.choices.join(" "))}`;
  if (value.is === "id") return `-f -a '(${program} complete ${value.of} 2>/dev/null)'`;
  return value.is === "file" ? "-F" : "-f -a '(__fish_complete_directories)'";
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
