import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listedCommands } from "../../src/cli/commands/index.ts";
import { exitCodes, worst } from "../../src/cli/exit-code.ts";
import * as library from "../../src/index.ts";
import { settingsSchema } from "../../src/manifests/schema/schema.ts";
import { readSettingsBytes } from "../../src/manifests/settings/settings.ts";
import { isJsonObject, type JsonObject } from "../../src/model/json.ts";
import { guards } from "../../src/plan/checks/guards/index.ts";
import { runCli } from "../support/command-line.ts";
import { briefly, desiredFrom } from "../support/manifest-files.ts";

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)];
const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** The help of every command, also of those below another one, by its words. */
async function helps(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const open = listedCommands.map(({ name }) => [name]);
  for (let words = open.shift(); words; words = open.shift()) {
    const { stdout } = await runCli([...words, "--help"], { cwd: "/" });
    const below = /\nCommands:\n([\s\S]*)/.exec(stdout)?.[1] ?? "";
    const names = [...below.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = ""]) => name);
    for (const name of names.filter((each) => each !== "help")) open.push([...words, name]);
    if (names.length === 0) found.set(words.join(" "), stdout);
  }
  return found;
}

test("command-line.md names each command and each of its options", async () => {
  const page = textOf("docs/command-line.md");
  const all = await helps();
  expect(all.size).toBeGreaterThan(20);
  const unnamed = [...all].flatMap(([command, help]) => {
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z][\w-]*)/gm)].map(([, flag = ""]) => flag);
    const isNamed = (flag: string): boolean => new RegExp(`${flag}(?![\\w-])`).test(page);
    const lost = flags.filter((flag) => !isNamed(flag)).map((flag) => `${command} ${flag}`);
    return new RegExp(`\`${command}[ \`]`).test(page) ? lost : [command, ...lost];
  });
  expect(unnamed).toEqual([]);
});

test("README.md shows explain, rules and how to build the image that the Dockerfile makes", () => {
  const page = textOf("README.md");
  for (const text of ["datahub-gitops explain ", "\nkind: Rule\n", "docker build ", "(docs/rules.md)"])
    expect(page).toContain(text);
});

/** The YAML blocks of a page that are whole documents of manifests or settings. */
function documentsIn(page: string, begin: RegExp): readonly string[] {
  const blocks = [...textOf(page).matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text = ""]) => text);
  return blocks.filter((text) => begin.test(text));
}

const manifests = pages.flatMap((page) =>
  documentsIn(page, /^(?:- )?kind: [A-Z]/).map((text) => [page, text] as const),
);

test.each(manifests.filter(([page]) => page !== "docs/manifests.md"))(
  "what %s shows can be declared: %s",
  async (page, text) => {
    const rules = documentsIn(page, /^kind: Rule\n/).filter((each) => each !== text);
    const { problems } = await desiredFrom({
      "catalog/a.yaml": text,
      ...(text.includes("exempt:") && { "catalog/rules.yaml": rules.join("---\n") }),
    });
    expect(briefly(problems.filter(({ severity }) => severity === "error"))).toEqual([]);
  },
);

const settings = pages.flatMap((page) =>
  documentsIn(page, /^version: 1\n/).map((text) => [page, text] as const),
);

test.each(settings)("the settings that %s shows are valid: %s", (_page, text) => {
  expect(readSettingsBytes("s.yaml", Buffer.from(text)).problems).toEqual([]);
});

test("the sample of settings.md has each limit of each guard, and each key of prune", () => {
  expect(settings.length).toBeGreaterThan(2);
  const [, sample = ""] = settings.find(([page]) => page === "docs/settings.md") ?? [];
  const keysOf = (schema: unknown): readonly string[] => {
    const properties = isJsonObject(schema) ? schema["properties"] : undefined;
    return Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, each]) => [
      key,
      ...keysOf(each),
    ]);
  };
  const { guards: limits, prune } = settingsSchema["properties"] as JsonObject;
  for (const key of [...keysOf(limits), ...keysOf(prune)]) expect(sample).toMatch(new RegExp(`\\b${key}:`));
});

test("ownership.md has each guard with its limits and its flag", () => {
  const rows = [...textOf("docs/ownership.md").matchAll(/^\| `(\w+)` \|.*`(--max-\w+)` \|$/gm)];
  expect(rows.map(([, name, flag]) => [name, flag])).toEqual(
    guards.map(({ name, flag }) => [name, flag.name]),
  );
  for (const { name, limits } of guards) {
    const [row = ""] = rows.find(([, guard]) => guard === name) ?? [];
    for (const limit of Object.keys(limits)) expect(row).toContain(`\`${limit}\``);
  }
});

test("the order in which troubleshooting.md lets exit codes win is that of the program", () => {
  const [, list = ""] =
    /the first of these wins: ([\d, \n]+)\./.exec(textOf("docs/troubleshooting.md")) ?? [];
  const told = list.split(/,\s+/).map(Number);
  const known = Object.values(exitCodes).filter((code) => code !== exitCodes.done);
  const won = known.map((_, index) => worst(known.filter((code) => !told.slice(0, index).includes(code))));
  expect(told).toEqual(won);
});

test("each function and class in library.md is one of the library", () => {
  const names = [...textOf("docs/library.md").matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
    ([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in library))).toEqual([]);
});

test("each file that CONTRIBUTING.md and SECURITY.md name is there", () => {
  for (const page of ["CONTRIBUTING.md", "SECURITY.md"]) {
    const paths = [...textOf(page).matchAll(/`((?:src|test|schemas|build|docs)\/[\w./-]+)`/g)];
    expect(paths.length).toBeGreaterThan(5);
    const absent = paths.flatMap(([, path = ""]) => (existsSync(join(root, path)) ? [] : [path]));
    // The guide adds a file that is not there yet.
    expect(absent.filter((path) => path !== "src/facets/glossary-terms.ts")).toEqual([]);
  }
});

test("CONTRIBUTING.md has each folder of the code and of its tests", () => {
  const page = textOf("CONTRIBUTING.md");
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  const told = [...page.matchAll(/^\| `src\/([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(new Set(told)).toEqual(new Set(folders.map(({ name }) => name)));
});

test("no page says that workflows are never cancelled: GitHub may cancel one that waits", () => {
  const files = [
    ...pages,
    "examples/github/apply.yml",
    "examples/github/drift.yml",
    "examples/github/plan.yml",
  ];
  for (const file of files) expect(textOf(file)).not.toMatch(/never cancelled/);
});
