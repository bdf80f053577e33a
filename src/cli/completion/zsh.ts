import type { CompletedCommand, CompletedOption, Value } from "./completed-command.ts";
import { functionNameOf, quoted } from "./shell-text.ts";

/** The script that completes a program in zsh, as a file of `fpath` or by `source`. */
export function zshScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = functionNameOf(program);
  return `#compdef ${program}
# Completion of ${program} for zsh. Made by "${program} completion zsh"; changes here are lost.
${commands.map((command) => functionOf(name, command)).join("\n")}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${program}; fi
`;
}

function functionOf(name: string, command: CompletedCommand): string {
  const { path, subcommands, options, arguments: values } = command;
  const own = [name, ...path].join("_");
  const specs = options.map(optionSpec);
  if (subcommands.length === 0) {
    return `${own}() {
  _arguments -s ${[...specs, ...values.map((value) => quoted(`*: :${action(value)}`))].join(" \\\n    ")}
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

// The star lets an option come again: many of them can.
function optionSpec({ flags, description, value }: CompletedOption): string {
  const about = `[${escaped(description)}]`;
  const takes = value === undefined ? "" : `: :${action(value)}`;
  return flags.map((flag) => quoted(`*${flag}${value ? "=" : ""}${about}${takes}`)).join(" ");
}

function action(value: Value): string {
  if (value.is === "choice") return `(${value.choices.join(" ")})`;
  if (value.is === "text") return " ";
  return value.is === "file" ? "_files" : "_files -/";
}

function escaped(description: string): string {
  return description.replaceAll(/[\\[\]:]/g, String.raw`\$&`);
}
