import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { simpleColumn } from "../../src/facets/columns.ts";
import { narrationOn } from "../../src/cli/demo/narration.ts";
import { sampleFile } from "../../src/cli/demo/demo-catalog.ts";
import { demoDirectory } from "../../src/cli/demo/story.ts";
import { uiEdits } from "../../src/cli/demo/ui-edits.ts";
import { readDesired } from "../../src/manifests/documents/desired-state.ts";
import { refuseToken } from "../support/refuse-token.ts";
import { temporaryDirectory } from "../support/catalog.ts";
import { capture, runCli } from "../support/command-line.ts";
import { cli } from "../support/dist.ts";
import type { Desired } from "../../src/manifests/base/desired.ts";

/** Runs a program to its end; its outputs do not have the token of its environment. */
async function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const ran = await promisify(execFile)(command, args, options);
  refuseToken(options.env["DATAHUB_GMS_TOKEN"], [ran.stdout, ran.stderr]);
  return ran;
}

/** A record of the sample. `fields` is part of the aspect `schemaMetadata`. */
interface SampleRecord {
  readonly entityUrn: string;
  readonly aspect: { readonly json: { readonly fields?: readonly { readonly fieldPath: string }[] } };
}

/** A directory of its own for one run of the demo, and an environment that names another server. */
function placeForDemo() {
  const root = temporaryDirectory();
  const [cwd, temporary, home] = ["cwd", "tmp", "home"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [cwd, temporary, home]) mkdirSync(directory);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: temporary,
    DATAHUB_GMS_URL: "http://127.0.0.1:1",
    DATAHUB_GMS_TOKEN: "of-another-server",
  };
  const filesLeft = (): readonly string[] =>
    [cwd, temporary, home].flatMap((directory) => readdirSync(directory));
  return { cwd, env, filesLeft };
}

describe("the demo", () => {
  test("tells its story, ends with an empty plan, and leaves nothing behind", async () => {
    const place = placeForDemo();
    const { stdout, stderr } = await run(process.execPath, [cli, "demo"], place);

    expect(stderr).toBe("");
    const results = stdout.split("\n").filter((line) => /^(Policies:|Plan:|Applied|No changes)/.test(line));
    expect(results).toEqual([
      "Policies: 0 introduced, 5 fixed, 0 existing, 1 waived.",
      "Plan: 32 to create, 17 to update, 0 to delete; 151 values added, 2 replaced, 8 removed.",
      "Applied 104 operations, 0 failed, 0 skipped.",
      "Policies: 0 introduced, 1 fixed, 0 existing, 0 waived.",
      "Plan: 0 to create, 3 to update, 0 to delete; 1 value added, 1 replaced, 1 removed.",
      "Applied 3 operations, 0 failed, 0 skipped.",
      "Policies: 0 introduced, 0 fixed, 0 existing, 0 waived.",
      "No changes. 77 entities in sync.",
    ]);
    expect(stdout).toMatch(
      /~ domain: Marketing \(urn:li:domain:marketing\) → Orders \(urn:li:domain:orders\) {2}\S*snowflake\/orders\.yaml:\d+:\d+\n/,
    );
    expect(stdout).toMatch(/ {4}columns\.tags phone {2}\S*rules\.yaml:\d+:\d+ \(rule personal-data\)\n/);
    expect(stdout).toContain(
      "rule personal-data: matches 42 datasets; sets columns.tags PII on 7, 5 of them new\n",
    );
    expect(stdout).toMatch(/contains\s43\sdatasets/);
    expect(stdout).toContain("columns.tags email: urn:li:tag:dbt:masked  (set by ingestion)");
    expect(stdout.split("\n").length).toBeLessThan(460);
    expect(place.filesLeft()).toEqual([]);
  });

  test.each([1, 2])("leaves nothing behind after Ctrl-C, pressed %i times", async (times) => {
    const place = placeForDemo();
    const demo = spawn(process.execPath, [cli, "demo"], { ...place, stdio: ["ignore", "pipe", "ignore"] });
    await once(demo.stdout, "data");
    demo.stdout.resume();
    for (let pressed = 0; pressed < times; pressed += 1) demo.kill("SIGINT");
    const [code] = (await once(demo, "exit")) as [number | null];

    expect(code).toBe(130);
    expect(place.filesLeft()).toEqual([]);
  });
});

test("the demo's sample is put into a data directory, twice as once, and the demo's first plan is made against it", async () => {
  const cwd = temporaryDirectory();
  const filling = ["demo", "--fill", "data"];
  await runCli(filling, { cwd });
  const { stderr } = await runCli(filling, { cwd });
  expect(stderr).toBe(
    "Sample data loaded into data. Use it with --local --data data, or run serve --data data\n",
  );
  const { stdout } = await runCli(["plan", demoDirectory, "--local", "--data", "data"], { cwd });
  expect(stdout.trimEnd().split("\n").at(-1)).toBe(
    "Plan: 32 to create, 17 to update, 0 to delete; 151 values added, 2 replaced, 8 removed.",
  );
});

describe("the sample and the manifests of the demo", () => {
  let desired: Desired;
  const records = JSON.parse(readFileSync(sampleFile, "utf8")) as readonly SampleRecord[];
  const fieldPathsByUrn = new Map(
    records.flatMap(({ entityUrn, aspect: { json } }) =>
      json.fields ? [[entityUrn, json.fields.map(({ fieldPath }) => fieldPath)] as const] : [],
    ),
  );
  beforeAll(async () => {
    desired = await readDesired(demoDirectory, { cwd: demoDirectory });
  });

  test("the manifests are valid without a warning", () => {
    expect(desired.problems).toEqual([]);
  });

  test("every declared dataset and container is in the sample, and two datasets are not declared", () => {
    const known = new Set(records.map(({ entityUrn }) => entityUrn));
    const observed = [...desired.state.values()].filter(
      ({ kind }) => kind === "Dataset" || kind === "Container",
    );
    expect(observed.filter(({ urn }) => !known.has(urn))).toEqual([]);
    expect(
      [...fieldPathsByUrn.keys()].filter((urn) => ![...desired.state.keys()].some((each) => each === urn)),
    ).toEqual([
      expect.stringContaining("shop.public.schema_migrations"),
      expect.stringContaining("analytics.scratch.tmp_kpi_july"),
    ]);
  });

  test("the sample has as many datasets as the story says", () => {
    expect(fieldPathsByUrn.size).toBe(43);
  });

  test("every declared column is one of the dataset's, by its plain name", () => {
    for (const [urn, { facets }] of desired.state) {
      const columns = facets.get("columns.tags");
      if (columns?.shape !== "map") continue;
      const plain = fieldPathsByUrn.get(urn)!.map(simpleColumn);
      for (const column of columns.entries.keys()) expect(plain).toContain(column);
    }
  });

  test("columns of Kafka have field paths of the second version", () => {
    const topic = "urn:li:dataset:(urn:li:dataPlatform:kafka,shop.orders.placed,PROD)";
    expect(fieldPathsByUrn.get(topic)).toContain(
      "[version=2.0].[type=struct].[type=struct].customer.[type=string].email",
    );
  });

  test("every edit in the UI concerns another entity that the manifests declare", () => {
    const declared = [...desired.state.keys()].filter((each) => uiEdits.some(({ urn }) => urn === each));
    expect(declared).toHaveLength(uiEdits.length);
  });
});

describe("the narration", () => {
  test.each([60, 80])("keeps within %i columns", (columns) => {
    const stdout = capture(columns);
    const narration = narrationOn({ stdout, env: {} });
    narration.paragraph(uiEdits.map(({ description }) => description).join(" "));
    narration.points(uiEdits.map(({ description }) => description));
    const lengths = stdout
      .text()
      .split("\n")
      .map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(columns);
  });
});
