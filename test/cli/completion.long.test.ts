import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { completionScript, type Shell, shells } from "../../src/cli/commands/completion.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";

// The words are split as bash itself splits them.
const inBash = `source "$1"
for line in "\${@:2}"; do
  IFS=" " read -ra COMP_WORDS <<<"\${line//=/ = }"; [[ $line == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); "$(complete -p datahub-gitops | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
  printf '%s\\n' "\${COMPREPLY[@]}" END
done`;
const inFish = "source $argv[1]; for line in $argv[2..-1]; complete -C $line | cut -f1; echo END; end";

const asking: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["--norc", "-c", inBash, "bash"],
  zsh: ["-f", join(import.meta.dirname, "../support/zsh-completion.zsh")],
  fish: ["--no-config", "-c", inFish],
};

/** What stands for the program where a script asks it for ids. */
const stub = `#!/bin/sh
[ "$*" = "complete policy" ] && printf '%s\\n' has-steward "it's odd" has-domain
[ "$*" = "complete entity" ] && printf '%s\\n' finance
exit 0
`;

/** A folder with an executable file of the name of the program. */
function folderWith(text: string): string {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, "datahub-gitops"), text, { mode: 0o755 });
  return folder;
}

/** What a shell itself offers for each line, sorted; without the slash that some of them add to a directory. */
function offered(shell: Shell, script: string, lines: readonly string[]): readonly (readonly string[])[] {
  const cwd = temporaryDirectory();
  mkdirSync(join(cwd, "manifests"));
  writeFileSync(join(cwd, "my plan.json"), "{}");
  const file = join(temporaryDirectory(), "script");
  writeFileSync(file, script);
  const env = { ...process.env, PATH: `${folderWith(stub)}:${process.env["PATH"]}` };
  const text = execFileSync(shell, [...asking[shell], file, ...lines], { cwd, encoding: "utf8", env });
  expect(readdirSync(cwd)).toEqual(["manifests", "my plan.json"]);
  const answers = text.split(/^END\n/m).slice(0, -1);
  return answers.map((answer) => {
    const words = answer.split("\n").filter((word) => word !== "");
    return words.map((word) => word.replace(/\/$/, "").replaceAll("\\ ", " ")).toSorted();
  });
}

const isInstalled = (shell: Shell): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

test("bash is there to be tested", () => {
  expect(isInstalled("bash")).toBe(true);
});

describe.each(shells.filter(isInstalled))("in %s", (shell) => {
  test("commands, options, choices and paths of the program are completed", async () => {
    const { code, stdout } = await runCli(["completion", shell], { cwd: "/" });
    expect(code).toBe(0);
    const expected: readonly (readonly [line: string, words: unknown])[] = [
      ["", expect.arrayContaining(["apply", "completion", "help", "plan", "user"])],
      ["pl", ["plan"]],
      ["user ups", ["upsert"]],
      ["plan --sk", ["--skip-conflicts"]],
      ["plan --missing ", ["error", "skip"]],
      ["plan --missing=", expect.arrayContaining([expect.stringMatching(/skip$/)])],
      ["plan --local --data ", ["manifests"]],
      ["plan m", ["manifests"]],
      ["apply m", ["manifests", "my plan.json"]],
      ["plan --target ", []],
      ["plan --kind GlossaryN", ["GlossaryNode"]],
      ["list --missing dom", ["domain"]],
      ["list --policy has-", ["has-domain", "has-steward"]],
      ["plan --rule ", []],
      ["explain fin", ["finance"]],
      ["schema pl", ["plan"]],
      ["schema plan --missi", []],
    ];
    const lines = expected.map(([line]) => `datahub-gitops ${line}`);
    expect(offered(shell, stdout, lines)).toEqual(expected.map(([, words]) => words));
  });

  test("what a description holds cannot run or end anything", () => {
    const told = 'it\'s `touch hurt` $(touch hurt) [x]: a\\b "q" #{1..3}';
    const order = new Option("--order <by>", told).choices(["up", "down"]);
    const sort = new Command("sort").description(told).addOption(order);
    const script = completionScript(shell, new Command("datahub-gitops").addCommand(sort));
    const lines = ["so", "sort --ord", "sort --order "].map((line) => `datahub-gitops ${line}`);
    expect(offered(shell, script, lines)).toEqual([["sort"], ["--order"], ["down", "up"]]);
  });
});

test.each(shells)(
  "the script of %s has each command and option of a program, without a list by hand",
  (shell) => {
    const program = new Command("tool").addCommand(
      new Command("brew").option("--kettle <dir>").addCommand(new Command("tea").option("--leaves")),
    );
    const script = completionScript(shell, program);
    for (const word of ["tool", "brew", "kettle", "tea", "leaves"]) expect(script).toContain(word);
  },
);

test("an option that the help does not show is not offered", () => {
  const program = new Command("tool").addOption(new Option("--secret").hideHelp());
  for (const shell of shells) expect(completionScript(shell, program)).not.toContain("secret");
});

test("another shell is wrong usage, and no shell is, too", async () => {
  const { code, stderr } = await runCli(["completion", "tcsh"], { cwd: "/" });
  expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining("bash, zsh, fish") });
  expect(await runCli(["completion"], { cwd: "/" })).toMatchObject({ code: 64 });
});
