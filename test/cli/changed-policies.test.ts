import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const settings = "version: 1\nmanage: authoritative\n";
const dataset = "kind: Dataset\nplatform: snowflake\nname: orders\n";

const policies = `kind: Policy
id: in-a-domain
match: { kind: Dataset, platform: [snowflake, bigquery] }
require: { domain: true }
---
kind: Policy
id: tagged
severity: warning
match: { kind: Dataset }
require: { tags: true }
`;

const makeSite = siteOnce(async (strict: boolean): Promise<Site> => {
  const site = await siteWith(
    { "policies.yaml": policies, "orders.yaml": `${dataset}domain: finance\n` },
    strict ? `${settings}policies: { strict: true }\n` : settings,
  );
  site.git("branch", "upstream");
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
      [orders, "domains", { domains: ["urn:li:domain:finance"] }],
    ]),
  );
  return site;
});

/** A site with a branch that takes the domain away, and changes something else beside. */
async function branchWith(
  files: Readonly<Record<string, string | undefined>>,
  strict = false,
): Promise<Site> {
  const site = await makeSite(strict);
  site.commit({ "catalog/orders.yaml": `${dataset}domain: none\n`, ...files });
  return site;
}

const since = ["--changed-since", "upstream"] as const;
const head = "Policies or waivers have changed; ! marks changes that make policies less strict:\n";
const lifted = `no longer blocked: policy in-a-domain: ${orders}: has no domain (catalog/orders.yaml:4:1)`;

test("a branch on which the policy stands is stopped, and nothing is said of policies", async () => {
  const { code, stdout } = await (await branchWith({})).plan(...since);
  expect(code).toBe(4);
  expect(stdout).not.toContain("have changed");
  expect(stdout).not.toContain("no longer");
});

test.each<readonly [string, string, string]>([
  ["removed", policies.slice(policies.indexOf("---") + 4), "- ! policy in-a-domain: error, Dataset\n"],
  [
    "narrowed",
    policies.replace("[snowflake, bigquery]", "bigquery"),
    "~ ! policy in-a-domain match: platform: bigquery or snowflake → platform: bigquery\n",
  ],
  [
    "made a warning",
    policies.replace("match:", "severity: warning\nmatch:"),
    "~ ! policy in-a-domain severity: error → warning\n",
  ],
  [
    "waived",
    `${policies}---\nkind: Waiver\npolicy: in-a-domain\nmatch: { name: orders }\nreason: Later.\nexpires: 2026-12-20\n`,
    "+ ! waiver of in-a-domain name: orders: until 2026-12-20: Later.\n",
  ],
  [
    "required less",
    policies.replace("{ domain: true }", "{ description: false }"),
    "~ ! policy in-a-domain require: domain: true → description: false\n",
  ],
])(
  "a policy that is %s by the branch is shown first, and what it no longer stops is a warning",
  async (_, changed, line) => {
    const site = await branchWith({ "catalog/policies.yaml": changed });
    const { code, stdout } = await site.run(["plan", ...since], { env: { SOURCE_DATE_EPOCH: "1795824000" } });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain(`${head}  ${line}`);
    expect(stdout).toContain(`warning: ${lifted}\n`);
    expect(stdout).toContain(
      "Warning: policy in-a-domain no longer blocks 1 violation that it blocked before this change.\n",
    );
    expect(stdout.indexOf(head)).toBeLessThan(stdout.indexOf("- domain: Finance"));
  },
);

test("what lets no more pass is shown without a mark", async () => {
  const site = await branchWith({
    "catalog/policies.yaml": policies
      .replace("severity: warning\n", "")
      .replace(", platform: [snowflake, bigquery]", "")
      .replace("{ domain: true }", "{ domain: true, links: false }"),
  });
  const { code, stdout } = await site.plan(...since);
  expect(code).toBe(4);
  expect(stdout).toContain("  ~ policy in-a-domain match: platform: bigquery or snowflake → all\n");
  expect(stdout).toContain("  ~ policy tagged severity: warning → error\n");
  expect(stdout).not.toMatch(/[-+~] ! /);
  expect(stdout).not.toContain("no longer");
});

test("settings of the merge base can have it stop the plan, whatever those of the branch say", async () => {
  const none = { "catalog/policies.yaml": undefined };
  for (const files of [none, { ...none, "catalog/datahub-gitops.yaml": settings }]) {
    const site = await branchWith(files, true);
    const { code, stdout } = await site.plan(...since);
    expect(code, stdout).toBe(4);
    expect(stdout).toContain(`error: ${lifted}\n`);
    expect(stdout).toContain("Blocked: policy in-a-domain no longer blocks 1 violation");
    expect(await site.apply(...since)).toMatchObject({ code: 4 });
  }
  const lenient = await branchWith({
    ...none,
    "catalog/datahub-gitops.yaml": `${settings}policies: { strict: true }\n`,
  });
  expect(await lenient.plan(...since)).toMatchObject({ code: 0 });
});

test("the JSON has it, and a saved plan shows it again in Markdown, in the comment and on the page", async () => {
  const site = await branchWith({ "catalog/policies.yaml": undefined }, true);
  const plan = await site.planned(...since, "--out", "plan.json");
  expect(plan).toMatchObject({
    policyChanges: [
      { key: "policy in-a-domain", before: "error, Dataset", after: null, loosens: true },
      { key: "policy tagged", before: "warning, Dataset", after: null, loosens: true },
    ],
    noLongerStopped: [{ policy: "in-a-domain", urn: orders, reasons: ["has no domain"] }],
    strictPolicies: true,
  });
  for (const format of ["markdown", "html", "sarif", "junit", "text"]) {
    const { stdout } = await runCli(["show", "plan.json", "--format", format], { cwd: site.root });
    expect(stdout, format).toContain("no longer blocked");
    if (!["sarif", "junit"].includes(format)) expect(stdout, format).toContain("! policy in-a-domain");
  }
});

test("a requirement that is not met yet hides nothing: what the policy stopped before is named", async () => {
  const changed = policies.replace("{ domain: true }", "{ domain: true, owners: true }");
  const site = await branchWith({ "catalog/policies.yaml": changed });
  const { code, stdout } = await site.plan(...since);
  expect(code).toBe(0);
  expect(stdout).toContain(`warning: ${lifted}\n`);
});
