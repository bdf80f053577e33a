import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseReportFile } from "../../../src/cli/output/report-files.ts";
import { tag } from "../../support/history.ts";
import { type Site, siteWith } from "../../support/site.ts";

const textIn = (site: Site, file: string): string => readFileSync(join(site.root, file), "utf8");

test("plan writes its result to files in several forms, each as it would print it", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const files = ["--report", "plan.json", "--report", "markdown=plan.md", "--report", "text=plan.txt"];
  const { code, stdout } = await site.plan(...files);
  expect(code).toBe(0);
  expect(textIn(site, "plan.txt")).toBe(stdout);
  expect(textIn(site, "plan.json")).toBe((await site.plan("--format", "json")).stdout);
  expect(textIn(site, "plan.md")).toBe((await site.plan("--format", "markdown")).stdout);
  expect(statSync(join(site.root, "plan.json")).mode & 0o777).toBe(0o600);
});

test.each([
  ["r.json", "json"],
  ["r.md", "markdown"],
  ["r.html", "html"],
  ["folder.md/r.sarif", "sarif"],
  ["R.XML", "junit"],
  ["r.txt", "json"],
  ["xml", "json"],
  ["text=r.md", "text"],
])("--report %s writes the format %s", (text, format) => {
  expect(parseReportFile(text)).toEqual([{ format, file: text.replace("text=", "") }]);
});

test("apply writes what became of the plan, also where it had nothing to do or was blocked", async () => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const applied = await site.apply("--report", "report.json", "--report", "text=report.txt");
  expect(applied.code).toBe(0);
  expect(JSON.parse(textIn(site, "report.json"))).toMatchObject({ summary: { applied: 1, failed: 0 } });
  const [plan = "", outcome = ""] = applied.stdout.split(/^(?=Applied)/m);
  const [first, run, last] = textIn(site, "report.txt").split(/\n(?=Server {4})|(?<=\n)\n(?=Applied)/);
  expect([first, last]).toEqual([plan, outcome]);
  expect(run).toMatch(/^Server {4}http:\/\/127\.0\.0\.1:\d+\nCommit {4}[0-9a-f]{40}\n/);
  expect((await site.apply("--report", "report.json")).code).toBe(0);
  expect(JSON.parse(textIn(site, "report.json"))).toMatchObject({ outcomes: [] });
  site.commit({ "catalog/a.yaml": undefined, "catalog/b.yaml": tag("b") });
  expect((await site.apply("--prune", "--report", "report.json")).code).toBe(5);
  expect(JSON.parse(textIn(site, "report.json"))).toMatchObject({ outcomes: [], plan: { findings: [{}] } });
});

test.each([
  ["--report", "", 64, /Use a file name/],
  ["--report", "markdown=", 64, /Use a file name/],
  ["--report", "pdf=a.pdf", 64, /no format pdf\. Use one of text, .*, or \.\/pdf=a\.pdf/],
  ["--report", "no-such-folder/report.json", 1, /cannot write no-such-folder\/report\.json/],
])("%s %j ends with %i and says why", async (flag, value, code, message) => {
  const site = await siteWith({ "a.yaml": tag("a") });
  const ran = await site.plan(flag, value);
  expect(ran.code).toBe(code);
  expect(ran.stderr).toMatch(message);
});
