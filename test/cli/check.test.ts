import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { schemaWith } from "../support/schema.ts";
import { type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const alice = "urn:li:corpuser:alice";
const ben = "urn:li:corpuser:ben";
const invoices = datasetNamed("prod.invoices");
const orders = datasetNamed("prod.orders");
const legacy = datasetNamed("prod.legacy");

const owned = (owner: string): object => ({ owners: [{ owner, type: "DATA_STEWARD" }] });

const world: readonly MadeAspect[] = [
  ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
  ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
  [alice, "corpUserInfo", { active: true }],
  [ben, "corpUserInfo", { active: false }],
  [invoices, "domains", { domains: ["urn:li:domain:finance"] }],
  [invoices, "ownership", owned(alice)],
  [invoices, "schemaMetadata", schemaWith("id", "email")],
  [orders, "ownership", owned(ben)],
  [legacy, "status", { removed: false }],
  [datasetNamed("gone"), "status", { removed: true }],
];

const policies = `- kind: Policy
  id: domain
  match: { kind: Dataset }
  require: { domain: true }
  coverage: { min_percent: 50 }
- kind: Policy
  id: steward
  match: { kind: Dataset, name: "prod.*" }
  require: { owners: { type: DATA_STEWARD, active: true } }
- kind: Waiver
  policy: steward
  match: { name: prod.legacy }
  reason: Replaced in spring.
  expires: 2026-12-01
`;

const files = {
  "datasets.yaml": `kind: Dataset
platform: snowflake
name: prod.invoices
domain: none
`,
  "policies.yaml": policies,
};

const day = "1795824000"; // 2026-11-28

const makeSite = siteOnce(async (): Promise<Site> => {
  const site = await siteWith(files);
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
});

async function check(site: Site, flags: readonly string[] = [], at = day): Promise<Ran> {
  return await site.run(["check", ...flags], { env: { SOURCE_DATE_EPOCH: at } });
}

interface Checked {
  readonly target: string;
  readonly policies: readonly Readonly<Record<string, unknown>>[];
  readonly summary: Readonly<Record<string, number>>;
}

function checkedIn({ stdout, stderr }: Ran): Checked {
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Checked;
}

test("check lists what is introduced, existing and waived, and ends with 4 for what is introduced", async () => {
  const { code, stdout, stderr } = await check(await makeSite());

  expect(stdout).toMatchInlineSnapshot(`
    "policy domain: 0 of 3 pass (0%)  catalog/policies.yaml:1:3
        existing: urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.legacy,PROD): has no domain
        existing: urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.orders,PROD): has no domain
    policy steward: 1 of 3 pass (33.3%)  catalog/policies.yaml:6:3
        existing: urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.orders,PROD): has 0 owners (DATA_STEWARD, active), at least 1 required (found owners: ben (DATA_STEWARD))
        waived until 2026-12-01: urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.legacy,PROD) (catalog/policies.yaml:10:3: Replaced in spring.)

    error: policy domain: urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD): has no domain (catalog/datasets.yaml:4:1)
    policy domain  catalog/policies.yaml:1:3
        to waive the violation, declare:
          kind: Waiver
          policy: "domain"
          match: { urn: "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD)" }
          reason: Explain why the violation is waived, and when it will be fixed.
          expires: 2026-12-28
    Failed: policy domain: 1 violation.
    Failed: policy domain: 0% pass, at least 50% required.
    Check: 2 policies; 1 of 6 pass, 1 introduced, 3 existing, 1 waived.
    "
  `);
  expect(stderr).toMatchInlineSnapshot(`
    "catalog/datahub-gitops.yaml:2:7 warning base-missing: no base yet: the first complete apply records it as \`refs/datahub-gitops/applied\`; if the remote already has one, run \`git fetch origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'\`; without a base, \`merge\` and \`--prune\` remove nothing
      2 | base: refs/datahub-gitops/applied
        |       ^
    catalog/policies.yaml:14:12 warning waiver-expires: this waiver for policy \`steward\` expires in 3 days (2026-12-01)
      14 |   expires: 2026-12-01
         |            ^
    "
  `);
  expect(code).toBe(4);
});

test("check as JSON says of each policy how much passes, and of what does not why", async () => {
  const site = await makeSite();
  const ran = await check(site, ["--format", "json"]);

  const { target, ...checked } = checkedIn(ran);
  expect(target).toBe(site.catalog.url);
  expect(checked).toMatchInlineSnapshot(`
    {
      "formatVersion": "1",
      "policies": [
        {
          "coverage": {
            "min_percent": 50,
            "percent": 0,
          },
          "existing": [
            {
              "reasons": [
                "has no domain",
              ],
              "urn": "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.legacy,PROD)",
            },
            {
              "reasons": [
                "has no domain",
              ],
              "urn": "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.orders,PROD)",
            },
          ],
          "fixed": [],
          "id": "domain",
          "introduced": [
            {
              "reasons": [
                "has no domain",
              ],
              "source": {
                "column": 1,
                "file": "catalog/datasets.yaml",
                "line": 4,
              },
              "urn": "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.invoices,PROD)",
            },
          ],
          "matched": 3,
          "passes": 0,
          "severity": "error",
          "source": {
            "column": 3,
            "file": "catalog/policies.yaml",
            "line": 1,
          },
          "unknown": [],
          "waived": [],
        },
        {
          "coverage": {
            "percent": 33.33333333333333,
          },
          "existing": [
            {
              "found": "owners: ben (DATA_STEWARD)",
              "reasons": [
                "has 0 owners (DATA_STEWARD, active), at least 1 required",
              ],
              "urn": "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.orders,PROD)",
            },
          ],
          "fixed": [],
          "id": "steward",
          "introduced": [],
          "matched": 3,
          "passes": 1,
          "severity": "error",
          "source": {
            "column": 3,
            "file": "catalog/policies.yaml",
            "line": 6,
          },
          "unknown": [],
          "waived": [
            {
              "expires": "2026-12-01",
              "urn": "urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.legacy,PROD)",
              "waiver": {
                "column": 3,
                "file": "catalog/policies.yaml",
                "line": 10,
              },
            },
          ],
        },
      ],
      "problems": [
        {
          "args": {
            "ref": "refs/datahub-gitops/applied",
          },
          "code": "base-missing",
          "column": 7,
          "file": "catalog/datahub-gitops.yaml",
          "line": 2,
          "message": "no base yet: the first complete apply records it as \`refs/datahub-gitops/applied\`; if the remote already has one, run \`git fetch origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'\`; without a base, \`merge\` and \`--prune\` remove nothing",
          "severity": "warning",
          "source": "base: refs/datahub-gitops/applied",
        },
        {
          "args": {
            "days": 3,
            "expires": "2026-12-01",
            "policy": "steward",
          },
          "code": "waiver-expires",
          "column": 12,
          "file": "catalog/policies.yaml",
          "line": 14,
          "message": "this waiver for policy \`steward\` expires in 3 days (2026-12-01)",
          "severity": "warning",
          "source": "  expires: 2026-12-01",
        },
      ],
      "summary": {
        "existing": 3,
        "fixed": 0,
        "introduced": 1,
        "matched": 6,
        "passes": 1,
        "unknown": 0,
        "waived": 1,
      },
    }
  `);
});

test("check --live judges what is there, and fails for a coverage below the least", async () => {
  const site = await makeSite();
  const ran = await check(site, ["--live", "--format", "json"]);

  expect(checkedIn(ran).summary).toEqual({
    matched: 6,
    passes: 2,
    introduced: 0,
    fixed: 0,
    existing: 3,
    waived: 1,
    unknown: 0,
  });
  expect(ran.code).toBe(4);
  site.write({ "catalog/policies.yaml": policies.replace("min_percent: 50", "min_percent: 33") });
  expect((await check(site, ["--live"])).code).toBe(0);
});

test("an expired waiver waives nothing, and one that waives nothing is a warning", async () => {
  const site = await makeSite();
  const ran = await check(site, ["--live"], "1796169600"); // 2026-12-02
  expect(ran.stdout).toContain("its waiver (catalog/policies.yaml:10:3) expired on 2026-12-01");
  expect(ran.stderr).toContain("waiver-expired");

  site.write({ "catalog/policies.yaml": policies.replace("prod.legacy", "prod.invoices") });
  expect((await check(site, ["--live"])).stderr).toContain("waiver-unused");
});

test("check by a snapshot says what it says by the server", async () => {
  const site = await makeSite();
  expect((await site.run(["export", "--snapshot", "all.json"])).code).toBe(0);
  const before = site.catalog.requests.length;

  const argv = ["check", "--snapshot", "all.json", "--format", "json", "--quiet"];
  const ofSnapshot = await runCli(argv, { cwd: site.root, env: { SOURCE_DATE_EPOCH: day } });

  expect(site.catalog.requests.length).toBe(before);
  const ofServer = checkedIn(await check(site, ["--format", "json"]));
  expect(checkedIn(ofSnapshot).policies).toEqual(ofServer.policies);
  expect(ofSnapshot.code).toBe(4);
});

test("explain says which policies an entity passes, violates and is waived from, and why", async () => {
  const site = await makeSite();
  const explained = async (urn: string): Promise<string> => {
    const { stdout } = await site.run(["explain", urn], { env: { SOURCE_DATE_EPOCH: day } });
    return stdout.slice(stdout.indexOf("Policies:"));
  };
  expect(await explained(invoices)).toMatchInlineSnapshot(`
    "Policies:
      passes: domain  catalog/policies.yaml:1:3
      passes: steward  catalog/policies.yaml:6:3
    "
  `);
  expect(await explained(legacy)).toMatchInlineSnapshot(`
    "Policies:
      violates: domain  catalog/policies.yaml:1:3
          has no domain
      waived: steward  catalog/policies.yaml:6:3
          has 0 owners (DATA_STEWARD, active), at least 1 required
          waived until 2026-12-01, catalog/policies.yaml:10:3: Replaced in spring.
    "
  `);
});

test("without policies there is nothing to check", async () => {
  const site = await makeSite();
  site.write({ "catalog/policies.yaml": undefined });
  const { code, stderr } = await check(site);

  expect(stderr).toBe("error: catalog has no policies; add a manifest with `kind: Policy`\n");
  expect(code).toBe(3);
});

test("what the plan restores is judged as it will be, and who joins a group is in it", async () => {
  const site = await siteWith({
    "all.yaml": `- { kind: Tag, id: old }
- { kind: Tag, id: described }
- { kind: Group, id: finance, members: [alice] }
`,
    "policies.yaml": `- { kind: Policy, id: tags, match: { kind: Tag }, require: { description: true } }
- kind: Policy
  id: finance
  match: { kind: Dataset, name: prod.invoices }
  check: asset.owners.exists(o, "finance" in o.groups)
`,
  });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ...world,
      ["urn:li:tag:pii", "status", { removed: true }],
      ["urn:li:tag:old", "tagProperties", { name: "old" }],
      ["urn:li:tag:old", "status", { removed: true }],
      ["urn:li:tag:described", "tagProperties", { name: "described", description: "Now." }],
      ["urn:li:tag:described", "status", { removed: true }],
    ]),
  );
  const { stdout } = await site.run(["check", "--format", "json", "--quiet"]);
  expect((JSON.parse(stdout) as Checked).policies).toMatchObject([
    { id: "finance", matched: 1, passes: 1, fixed: [{ urn: invoices }] },
    { id: "tags", matched: 2, passes: 1, introduced: [{ urn: "urn:li:tag:old" }], existing: [] },
  ]);
});
