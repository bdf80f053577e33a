import { expect, test } from "vitest";
import type { Explanation } from "../../src/model/explanation.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const invoices = datasetNamed("prod.finance.invoices");
const topic = "urn:li:dataset:(urn:li:dataPlatform:kafka,prod.orders,PROD)";

const files = {
  "tags.yaml": "- { kind: Tag, id: pii, name: Personal data }\n- { kind: Domain, id: sales, name: Sales }\n",
  "invoices.yaml": "kind: Dataset\nplatform: snowflake\nname: prod.finance.invoices\ntags: [pii]\n",
};

async function site(): Promise<Site> {
  const made = await siteWith(files);
  await made.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:tag:pii", "tagProperties", { name: "Personal data" }],
      ["urn:li:tag:gold", "tagProperties", { name: "Gold" }],
      ["urn:li:domain:gold", "domainProperties", { name: "Gold mine" }],
      ["urn:li:domain:2fbac", "domainProperties", { name: "Growth" }],
      ["urn:li:corpuser:Ada", "corpUserInfo", { active: true, displayName: "Ada Doe" }],
      [invoices, "status", { removed: false }],
      [topic, "status", { removed: false }],
      [datasetNamed("prod.orders"), "status", { removed: false }],
      [datasetNamed("PROD.Upper"), "status", { removed: false }],
    ]),
  );
  return made;
}

async function urnOf({ run }: Site, ...argv: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(["explain", "--format", "json", ...argv]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as Explanation).urn;
}

test("what one entity alone is called names it: a dataset's name, an id, a display name, declared or not", async () => {
  const made = await site();
  for (const [name, urn] of [
    ["prod.finance.invoices", invoices],
    ["pii", "urn:li:tag:pii"],
    ["Personal data", "urn:li:tag:pii"],
    ["personal DATA", "urn:li:tag:pii"],
    ["Growth", "urn:li:domain:2fbac"],
    ["2fbac", "urn:li:domain:2fbac"],
    ["Ada", "urn:li:corpuser:Ada"],
    ["sales", "urn:li:domain:sales"],
    ["PROD.Upper", datasetNamed("PROD.Upper")],
    // In this case it is the name of one alone.
    ["Gold", "urn:li:tag:gold"],
  ] as const)
    expect(await urnOf(made, name), name).toBe(urn);
});

test("what several are called is refused with their URNs, and what none is called with what was perhaps meant", async () => {
  const { run } = await site();
  for (const [name, says] of [
    [
      "gold",
      '"gold" is the name or id of 2 entities; use the URN of one, urn:li:domain:gold or urn:li:tag:gold\n',
    ],
    ["prod.orders", `use the URN of one, ${topic} or ${datasetNamed("prod.orders")}\n`],
    [
      "prod.finance.invoice",
      'no entity has the name or id "prod.finance.invoice"; did you mean prod.finance.invoices?\n',
    ],
    ["invoices", 'no entity has the name or id "invoices"; did you mean prod.finance.invoices?\n'],
    ["UPPER", "did you mean PROD.Upper?\n"],
    ["order", "did you mean prod.orders?\n"],
    ["Mine", "did you mean Gold mine?\n"],
    ["Pr", "use its URN\n"],
    ["nobody at all", 'no entity has the name or id "nobody at all"; use its URN\n'],
  ] as const) {
    const { code, stdout, stderr } = await run(["explain", name]);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toContain(says);
  }
});

test("with a snapshot names are those of what it holds", async () => {
  const made = await site();
  expect(await made.run(["export", "--snapshot", "live.json"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^Saved \d+ entities to live\.json\n$/),
  });
  const snapshot = ["--snapshot", "live.json", "--quiet"];
  const run = async (...argv: readonly string[]): Promise<Ran> =>
    await runCli(["explain", ...argv, ...snapshot], { cwd: made.root });
  const { stdout, code } = await run("Personal data", "--format", "json");
  expect({ code, urn: (JSON.parse(stdout) as Explanation).urn }).toEqual({ code: 0, urn: "urn:li:tag:pii" });
  expect(await run("Personal date")).toMatchObject({
    code: 64,
    stderr: expect.stringContaining("did you mean Personal data?") as string,
  });
  expect((await run("prod.finance.invoices")).code).toBe(0);
});
