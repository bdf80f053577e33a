import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const bob = "urn:li:corpuser:bob";

const policies = `kind: Policy
id: steward
description: Each dataset has a steward.
match: { kind: Dataset }
require: { owners: { type: DATA_STEWARD } }
---
kind: Policy
id: first-owner
match: { kind: Dataset }
check: asset.owners[1].active
message: "{name} is not in order"
`;

const makeSite = siteOnce(async (): Promise<Site> => {
  const site = await siteWith(
    {
      "policies.yaml": policies,
      "orders.yaml": "kind: Dataset\nplatform: snowflake\nname: orders\nowners: [{ user: bob }]\n",
    },
    "version: 1\nmanage: authoritative\n",
  );
  site.commit({ ".github/CODEOWNERS": "/catalog/policies.yaml @acme/governance\n" });
  await site.catalog.load(
    metadataFile(temporaryDirectory(), [
      [bob, "corpUserInfo", { active: true }],
      [orders, "ownership", { owners: [{ owner: bob, type: "DATA_STEWARD" }] }],
    ]),
  );
  return site;
});

const at = { env: { SOURCE_DATE_EPOCH: "1795824000" } }; // 2026-11-28

const waiver = [
  "kind: Waiver",
  'policy: "steward"',
  `match: { urn: "${orders}" }`,
  "reason: Explain why the violation is waived, and when it will be fixed.",
  "expires: 2026-12-28",
];

const unknown =
  "policy first-owner: urn:li:dataset:(urn:li:dataPlatform:snowflake,orders,PROD): unknown: the expression failed: asset.owners has no element 1; write `size(asset.owners) > 1 && …`";

test("a plan names each unknown verdict with its reason, and explains violations, as text", async () => {
  const { code, stdout } = await (await makeSite()).run(["plan"], at);
  expect(code).toBe(1);
  expect(stdout).toContain(`error: ${unknown} (catalog/policies.yaml:7:1)\n`);
  expect(stdout).toContain(
    `error: policy steward: ${orders}: has 0 owners (DATA_STEWARD), at least 1 required (found owners: bob (TECHNICAL_OWNER)) (catalog/orders.yaml:4:1)\n`,
  );
  const about = "policy steward (owned by @acme/governance): Each dataset has a steward.";
  expect(stdout).toContain(
    `${about}  catalog/policies.yaml:1:1\n    to waive the violation, declare:\n${waiver.map((line) => `      ${line}\n`).join("")}`,
  );
});

test("an apply and JSON name them, and the waiver to paste ends the violation", async () => {
  const site = await makeSite();
  const applied = await site.run(["apply", "--auto-approve"], at);
  expect(applied.stdout).toContain(unknown);
  const plan = (await site.planned()) as unknown as { readonly policies: readonly object[] };
  expect(plan.policies[0]).toMatchObject({
    id: "first-owner",
    codeOwners: ["@acme/governance"],
    unknown: 1,
    unknownEntities: [{ urn: orders, reason: unknown.slice(unknown.indexOf("the expression")) }],
  });
  expect(plan.policies[1]).toMatchObject({
    description: "Each dataset has a steward.",
    introduced: [{ urn: orders, found: "owners: bob (TECHNICAL_OWNER)" }],
    unknownEntities: [],
  });
  site.commit({ "catalog/policies.yaml": `${policies.split("---")[0]}---\n${waiver.join("\n")}\n` });
  expect(await site.run(["plan"], at)).toMatchObject({ code: 0, stderr: "" });
});

test("SARIF, JUnit, Markdown and the page have it with the violation", async () => {
  const site = await makeSite();
  const files = ["r.sarif", "r.xml", "r.md", "r.html"].map((name) => join(site.root, name));
  const formats = ["sarif", "junit", "markdown", "html"];
  const reports = files.flatMap((file, index) => ["--report", `${formats[index]}=${file}`]);
  await site.run(["plan", ...reports], at);
  for (const file of files) {
    const text = readFileSync(file, "utf8")
      .replaceAll("&#34;", '"')
      .replaceAll(String.raw`\"`, '"');
    for (const line of [...waiver, "Each dataset has a steward.", "acme/governance", "policies.yaml:1:1"])
      expect(text, file).toContain(line);
    expect(text, file).toContain("asset.owners has no element 1");
  }
});
