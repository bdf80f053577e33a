/** Generates the completion script for bash. */

import type { CompletedCommand, Value } from "./completed-command.ts";
import { functionNameOf, optionCases, quoted, transitions } from "./shell-text.ts";

/** Returns the script for bash 3.2 and later. */
export function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionNameOf(program);
  return `# Completion of ${program} for bash. Made by "${program} completion bash"; changes here are lost.
${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" at="" index
  COMPREPLY=()
  # bash splits --flag=value into three words.
  [[ $before == "=" ]] && before="\${COMP_WORDS[COMP_CWORD - 2]}"
  [[ $current == "=" ]] && current=""
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
${transitions(commands)
  .map(({ from, word, to }) => `      ${quoted(`${from} ${word}`)}) at=${quoted(to)} ;;`)
  .join("\n")}
    esac
  done
  case "$at $before" in
${optionCases(commands)
  .map(({ keys, value }) => `    ${keys.map(quoted).join(" | ")}) ${offer(value)}; return ;;`)
  .join("\n")}
  esac
  case "$at" in
${commands.map((command) => caseOf(command)).join("\n")}
  esac
}
${name}_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
}
${name}_ids() {
  local id
  while IFS= read -r id; do
    [[ $id == "$current"* ]] && COMPREPLY+=("$(printf %q "$id")")
  done < <(${program} complete "$1" 2>/dev/null)
}
${name}_paths() {
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
  # It adds the slash of a directory, and bash 3.2 does not have it.
  compopt -o filenames 2>/dev/null
}
complete -F ${name} ${program}
`;

  function offer(value: Value): string {
    if (value.is === "choice") return `${name}_words ${quoted(value.choices.join(" "))}`;
    if (value.is === "text") return ":";
    if (value.is === "id") return `${name}_ids ${value.of}`;
    return `${name}_paths ${value.is === "file" ? "-f" : "-d"}`;
  }

  function caseOf({ path, options, subcommands, arguments: values }: CompletedCommand): string {
    const flags = options.flatMap((option) => option.flags).join(" ");
    const rest =
      subcommands.length > 0
        ? [`${name}_words ${quoted(subcommands.map((each) => each.name).join(" "))}`]
        : values.map(offer);
    return `    ${quoted(path.join(" "))})
      if [[ $current == -* ]]; then ${name}_words ${quoted(flags)}; else ${rest.join("; ") || ":"}; fi ;;`;
  }
}
