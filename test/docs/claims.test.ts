import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listedCommands } from "../../src/cli/commands/index.ts";
import { exitCodes, highestPrecedence } from "../../src/cli/exit-code.ts";
import * as library from "../../src/index.ts";
import { settingsSchema } from "../../src/manifests/schema/schema.ts";
import { readSettingsBytes } from "../../src/manifests/settings/settings.ts";
import { isJsonObject, type JsonObject } from "../../src/model/json.ts";
import { guards } from "../../src/plan/checks/guards/index.ts";
import { helps } from "../support/helps.ts";
import { briefly, desiredFrom } from "../support/manifest-files.ts";

const root = join(import.meta.dirname, "../..");
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** The text between the lines that begin and end a generated part of a page, and the text around it. */
function generatedIn(page: string, part: string): readonly [before: string, after: string] {
  const [before = "", rest = ""] = textOf(page).split(`<!-- generated ${part}: npm run test:update -->\n`);
  const [, after = ""] = rest.split(`<!-- end of ${part} -->\n`);
  return [before, after];
}

/** A page whose generated part has these lines. */
function pageWith(page: string, part: string, lines: readonly string[]): string {
  const [before, after] = generatedIn(page, part);
  const [begin, end] = [`<!-- generated ${part}: npm run test:update -->`, `<!-- end of ${part} -->`];
  return `${before}${[begin, "", ...lines, "", end].join("\n")}\n${after}`;
}

test("command-line.md lists each command", async () => {
  const all = (await helps()).filter(({ words, below }) => words.length > 0 && below.length === 0);
  expect(all.length).toBeGreaterThan(20);
  const summaries = new Map(listedCommands.map(({ name, summary }) => [name, summary]));
  const rows = all.map(({ words, text }) => {
    const [, own = ""] = /^Usage: [^\n]*\n\n([\s\S]*?)\n\n/.exec(text) ?? [];
    const summary = words.length === 1 ? (summaries.get(words.join("")) ?? "") : own.replaceAll("\n", " ");
    return `| \`${words.join(" ")}\` | ${summary} |`;
  });
  const page = pageWith("docs/command-line.md", "commands", [
    "| command | description |",
    "| --- | --- |",
    ...rows,
  ]);
  await expect(page).toMatchFileSnapshot("../../docs/command-line.md");
});

test("command-line.md names each option of each command, but for the limits of guards", async () => {
  const page = textOf("docs/command-line.md");
  const limits = new Set(guards.map(({ flag }) => flag.name));
  const unnamed = (await helps()).flatMap(({ words, text }) => {
    const flags = [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z][\w-]*)/gm)].map(([, flag = ""]) => flag);
    const isNamed = (flag: string): boolean => new RegExp(`${flag}(?![\\w-])`).test(page);
    const lost = flags.filter((flag) => !limits.has(flag) && !isNamed(flag));
    return lost.map((flag) => `${words.join(" ")} ${flag}`);
  });
  expect(unnamed).toEqual([]);
});

test("README.md shows explain and rules, and install.md how to build the image that the Dockerfile makes", () => {
  const page = textOf("README.md");
  for (const text of ["datahub-gitops explain ", "\nkind: Rule\n", "(docs/rules.md)"])
    expect(page).toContain(text);
  expect(textOf("docs/install.md")).toContain("docker build ");
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

test("settings.md has each limit of each guard, and its sample each key of prune", () => {
  expect(settings.length).toBeGreaterThan(2);
  const [, sample = ""] = settings.find(([page]) => page === "docs/settings.md") ?? [];
  const { prune } = settingsSchema["properties"] as JsonObject;
  const keys =
    isJsonObject(prune) && isJsonObject(prune["properties"]) ? Object.keys(prune["properties"]) : [];
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) expect(sample).toMatch(new RegExp(`\\b${key}:`));
  for (const { name, limits } of guards)
    for (const limit of Object.keys(limits))
      expect(textOf("docs/settings.md")).toContain(`\`guards.${name}.${limit}\``);
});

test("ownership.md has each guard with its limits and its flag", async () => {
  const rows = guards.map(({ name, description, limits, flag }) => {
    const each = Object.entries(limits).map(([limit, { description: what }]) => `\`${limit}\`: ${what}`);
    return `| \`${name}\` | ${description} | ${each.join(" ")} | \`${flag.name}\` |`;
  });
  const head = ["| guard | what | limits in the settings | flag |", "| --- | --- | --- | --- |"];
  const page = pageWith("docs/ownership.md", "guards", [...head, ...rows]);
  await expect(page).toMatchFileSnapshot("../../docs/ownership.md");
});

test("the order in which troubleshooting.md lets exit codes win is that of the program", () => {
  const [, list = ""] =
    /the first of these wins: ([\d, \n]+)\./.exec(textOf("docs/troubleshooting.md")) ?? [];
  const told = list.split(/,\s+/).map(Number);
  const known = Object.values(exitCodes).filter((code) => code !== exitCodes.done);
  const won = known.map((_, index) =>
    highestPrecedence(known.filter((code) => !told.slice(0, index).includes(code))),
  );
  expect(told).toEqual(won);
});

test("each function and class in library.md is one of the library", () => {
  const names = [...textOf("docs/library.md").matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
    ([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in library))).toEqual([]);
});

test("each file that CONTRIBUTING.md and docs/internals/security.md name is there", () => {
  for (const page of ["CONTRIBUTING.md", "docs/internals/security.md"]) {
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
