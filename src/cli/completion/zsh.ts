/** Generates the completion script for zsh. */

import type { CompletedCommand, CompletedOption, Value } from "./completed-command.ts";
import { functionNameOf, quoted } from "./shell-text.ts";

/** Returns the script for zsh, which can be saved in `fpath` or loaded with `source`. */
export function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionNameOf(program);
  return `#compdef ${program}
# Completion of ${program} for zsh. Made by "${program} completion zsh"; changes here are lost.
${commands.map((command) => functionOf(name, command)).join("\n")}
${name}_ids() {
  local -a ids=(\${(f)"$(${program} complete $1 2>/dev/null)"})
  compadd -a ids
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function functionOf(name: string, command: CompletedCommand): string {
  const { path, subcommands, options, arguments: values } = command;
  const own = [name, ...path].join("_");
  const specs = options.map((option) => optionSpec(option, name));
  if (subcommands.length === 0) {
    // Only the last argument is marked as repeatable. If several arguments had a star, zsh would use one of them for
    // all arguments.
    const places = values.map((value, index) =>
      quoted(`${index === values.length - 1 ? "*" : index + 1}: :${action(value, name)}`),
    );
    return `${own}() {
  _arguments -s ${[...specs, ...places].join(" \\\n    ")}
}`;
  }
  const described = subcommands.map((each) => quoted(`${each.name}:${each.description}`));
  return `${own}() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")}
  case $state in
    command)
      local -a commands=(${described.join("\n        ")})
      _describe command commands ;;
    rest)
      case $words[1] in
${subcommands.map((each) => `        ${each.name}) ${own}_${each.name} ;;`).join("\n")}
      esac ;;
  esac
}`;
}

// The star marks an option as repeatable. All options have it, because many options are repeatable.
function optionSpec({ flags, description, value }: CompletedOption, name: string): string {
  const about = `[${escaped(description)}]`;
  const takes = value === undefined ? "" : `: :${action(value, name)}`;
  return flags.map((flag) => quoted(`*${flag}${value ? "=" : ""}${about}${takes}`)).join(" ");
}

function action(value: Value, name: string): string {
  if (value.is === "choice") return `(${value.choices.join(" ")})`;
  if (value.is === "text") return " ";
  // With a leading blank, zsh calls the function without the options for compadd.
  if (value.is === "id") return ` ${name}_ids ${value.of}`;
  return value.is === "file" ? "_files" : "_files -/";
}

function escaped(description: string): string {
  return description.replaceAll(/[\\[\]:]/g, String.raw`\$&`);
}
