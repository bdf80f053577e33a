import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const world: readonly MadeAspect[] = [
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  ...["invoices", "orders", "legacy", "users"].map((name): MadeAspect => [
    datasetNamed(name),
    "domains",
    { domains: ["urn:li:domain:finance"] },
  ]),
  [datasetNamed("old"), "status", { removed: false }],
  [datasetNamed("orders"), "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
];

const files = {
  "datasets.yaml": `kind: Dataset
platform: snowflake
name: invoices
domain: none
---
kind: Dataset
platform: snowflake
name: orders
domain: none
tags: []
---
kind: Dataset
platform: snowflake
name: users
tags: [pii]
`,
  "policies.yaml": `- kind: Policy
  id: domain
  match: { kind: Dataset }
  require: { domain: true }
- kind: Policy
  id: tags
  severity: warning
  match: { kind: Dataset, name: orders }
  require: { tags: true }
- kind: Waiver
  policy: domain
  match: { name: old }
  reason: Replaced.
  expires: 2026-12-01
`,
};
const settings = `version: 1
guards: { removals: { max_count: 1, max_percent: 10, min_existing: 0 } }
`;

const makeSite = siteOnce(async (): Promise<Site> => {
  const site = await siteWith(files, settings);
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
});

const others = ["json", "markdown", "html", "sarif", "junit", "gitlab"] as const;

type Texts = Readonly<Record<"text" | (typeof others)[number], string>>;

/** One run of a command, in all formats. Problems of a plan are printed as errors. */
async function textsOf(command: readonly string[]): Promise<Texts> {
  const site = await makeSite();
  // What would refuse an apply.
  const refusing = ["catalog/policies.yaml", "catalog/datahub-gitops.yaml"].map((file) => [file, undefined]);
  if (command[0] === "apply") site.write(Object.fromEntries(refusing));
  const reports = others.flatMap((format) => ["--report", `${format}=${format}`]);
  const ran = await site.run([...command, ...reports], { env: { SOURCE_DATE_EPOCH: "1795824000" } });
  const written = others.map((format) => [format, readFileSync(join(site.root, format), "utf8")]);
  return { text: ran.stderr + ran.stdout, ...Object.fromEntries(written) } as Texts;
}

/** An error or a warning, with its sentence. */
type Issue = string;

const warnings = new Set(["warning", "minor"]);

function issueOf(level: string, message: string): Issue {
  return `${warnings.has(level) ? "warning" : "error"} ${plain(message)}`;
}

interface SarifRun {
  readonly results: readonly { readonly level: string; readonly message: { readonly text: string } }[];
  readonly properties: { readonly verdict: string; readonly summary?: object };
}

function sarifOf({ sarif }: Texts): SarifRun {
  return (JSON.parse(sarif) as { readonly runs: readonly [SarifRun] }).runs[0];
}

/** What a violation is. The lines after it explain it. */
function firstLineOf(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function issuesInSarif(texts: Texts): readonly Issue[] {
  return sarifOf(texts).results.map(({ level, message }) => issueOf(level, firstLineOf(message.text)));
}

function issuesInGitlab({ gitlab }: Texts): readonly Issue[] {
  const entries = JSON.parse(gitlab) as readonly {
    readonly severity: string;
    readonly description: string;
  }[];
  return entries.map(({ severity, description }) => issueOf(severity, description));
}

function issuesInJunit({ junit }: Texts): readonly Issue[] {
  const cases = [...junit.matchAll(/<(failure|system-out)[^>]*>([^<]*)</g)];
  return cases.map(([, element = "", text = ""]) =>
    issueOf(
      element === "failure" ? "error" : "warning",
      firstLineOf(decoded(text)).replace(/^[\w/.-]+:\d+:\d+: /, ""),
    ),
  );
}

/** Numbers with this name in all suites. */
function sumInJunit({ junit }: Texts, name: string): number {
  const values = [...junit.matchAll(new RegExp(`<property name="${name}" value="(\\d+)"`, "g"))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
}

function decoded(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** A text without marks of code, and without what says that it blocks. */
function plain(text: string): string {
  return text.replaceAll(/[`*\\]/g, "").replace(/^(?:Blocked|Failed): /, "");
}

function plainTextOf({ html }: Texts): string {
  const body = html.replace(/^.*?<body>/s, "").replaceAll(/<script.*?<\/script>/gs, "");
  return plain(decoded(body.replaceAll(/<[^>]*>/g, "")));
}

/** Whether the page of a check has an issue in its list of verdicts, where policy, entity and reason stand apart. */
function isListed(page: string, issue: string): boolean {
  const [, policy = "", urn = "", reason = ""] = /^\w+ (policy \S+): (\S+): (.*)$/.exec(issue) ?? [];
  const [at, atPolicy] = [page.indexOf(`${urn}\n`), page.indexOf(`\n        ${policy}\n`)];
  return urn !== "" && at !== -1 && atPolicy !== -1 && page.includes(`${reason}\n`);
}

function times(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The number in the heading of a section of the page: none without the section. */
function countInPage({ html }: Texts, title: string): number {
  const [, number = "0"] = new RegExp(`<h2>${title} <span class="count">(\\d+)<`).exec(html) ?? [];
  return Number(number);
}

const runs = [
  ["plan", ["plan"], { errors: 6, warnings: 2 }],
  ["drift", ["drift"], { errors: 2, warnings: 2 }],
  ["a check", ["check"], { errors: 3, warnings: 2 }],
  ["an apply", ["apply", "--auto-approve"], { errors: 0, warnings: 0 }],
] as const;

test.each(runs)("%s says the same in every format, with the same numbers", async (_, command, expected) => {
  const texts = await textsOf(command);
  const issues = issuesInSarif(texts);
  const verdict = texts.text.trimEnd().split("\n").at(-1) ?? "";

  expect(issues.filter((issue) => issue.startsWith("error "))).toHaveLength(expected.errors);
  expect(issues.filter((issue) => issue.startsWith("warning "))).toHaveLength(expected.warnings);
  expect(issuesInGitlab(texts)).toEqual(issues);
  expect(new Set(issuesInJunit(texts))).toEqual(new Set(issues));
  expect(issuesInJunit(texts)).toHaveLength(issues.length);
  const page = plainTextOf(texts);
  for (const shown of [plain(texts.text), plain(texts.markdown), page]) {
    const isShown = (issue: string): boolean => times(shown, issue.replace(/^\w+ /, "")) === 1;
    expect(issues.filter((each) => !isShown(each) && !(shown === page && isListed(page, each)))).toEqual([]);
    expect(shown).toContain(plain(verdict));
  }
  expect(sarifOf(texts).properties.verdict).toBe(verdict);
  expect(decoded(texts.junit)).toContain(`name="verdict" value="${verdict}"`);
});

test("the numbers of policies are the same in every format", async () => {
  const texts = await textsOf(["plan"]);
  const [line = "", ...numbers] =
    /^Policies: (\d+) introduced, (\d+) fixed, (\d+) existing, (\d+) waived\.$/m.exec(texts.text) ?? [];
  const [introduced, fixed, existing, waived] = numbers.map(Number);
  const policies = { introduced, fixed, existing, waived, unknown: 0 };

  expect(policies).toEqual({ introduced: 3, fixed: 0, existing: 0, waived: 0, unknown: 0 });
  expect(texts.markdown).toContain(line);
  expect(texts.html).toContain(line);
  expect(sarifOf(texts).properties.summary).toMatchObject({ policies });
  expect(JSON.parse(texts.json)).toMatchObject({ summary: { policies } });
  expect(countInPage(texts, "New violations")).toBe(introduced);
  for (const [name, number] of Object.entries(policies)) expect(sumInJunit(texts, name)).toBe(number);
});
