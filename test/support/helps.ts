import { listedCommands } from "../../src/cli/commands/index.ts";
import { runCli } from "./command-line.ts";

/** The help of a command, and the commands below it. */
export interface Help {
  /** The words that name the command; none for the program. */
  readonly words: readonly string[];
  readonly text: string;
  readonly below: readonly string[];
}

/** The help of the program and of every command, also of those below another one. */
export async function helps(): Promise<readonly Help[]> {
  const found: Help[] = [];
  const open: (readonly string[])[] = [
    [],
    ...listedCommands.filter(({ isHidden }) => isHidden !== true).map(({ name }) => [name]),
  ];
  for (let words = open.shift(); words; words = open.shift()) {
    const { stdout: text } = await runCli([...words, "--help"], { cwd: "/" });
    const [, list = ""] = /\nCommands:\n(.*?)\n\n/s.exec(text) ?? [];
    const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = ""]) => name);
    const below = names.filter((name) => name !== "help");
    if (words.length > 0) for (const name of below) open.push([...words, name]);
    found.push({ words, text, below });
  }
  return found;
}
