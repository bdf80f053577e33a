import { join } from "node:path";
import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const [inside, outside] = [datasetNamed("in"), datasetNamed("out")];
const [ann, bob, team] = ["corpuser:ann", "corpuser:bob", "corpGroup:team"].map((id) => `urn:li:${id}`);
// The user that every server has; it has a title.
const root = "urn:li:corpuser:datahub";
const product = "urn:li:dataProduct:p";

const world: readonly MadeAspect[] = [
  [inside, "status", { removed: false }],
  [outside, "status", { removed: false }],
  [inside, "ownership", { owners: [{ owner: ann, type: "DATAOWNER" }] }],
  [`${ann}`, "corpUserInfo", { active: true }],
  [`${ann}`, "nativeGroupMembership", { nativeGroups: [team] }],
  [`${bob}`, "corpUserInfo", { active: true }],
  [`${team}`, "corpGroupInfo", { displayName: "team", admins: [], members: [], groups: [] }],
  [product, "dataProductProperties", { name: "p", assets: [{ destinationUrn: inside }] }],
];

/** For each end of an edge, what matches or requires something there, in each way in which a policy can. */
const policies = `
- { kind: Policy, id: a-require, match: { kind: Dataset }, require: { data_products: true } }
- { kind: Policy, id: a-match, match: { kind: Dataset, data_products: p }, require: { domain: true } }
- { kind: Policy, id: a-not, match: { kind: Dataset, not: { data_products: p } }, require: { domain: true } }
- { kind: Policy, id: a-check, match: { kind: Dataset }, check: '"p" in asset.data_products' }
- { kind: Policy, id: g-require, match: { kind: Group }, require: { members: { any_of: [bob] } } }
- { kind: Policy, id: g-match, match: { kind: Group, members: ann }, require: { description: true } }
- { kind: Policy, id: g-check, match: { kind: Group }, check: "asset.members.size() == 1" }
- { kind: Policy, id: u-require, match: { kind: User }, require: { groups: { min: 1 } } }
- { kind: Policy, id: u-not, match: { kind: User, not: { groups: team } }, require: { title: true } }
- { kind: Policy, id: u-check, match: { kind: User }, check: '"team" in asset.groups' }
`;

const makeSite = siteOnce(async (): Promise<Site> => {
  const settings = settingsWith("manage: merge");
  const site = await siteWith({ "tag.yaml": "kind: Tag\nid: t\n", "policies.yaml": policies }, settings);
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
});

interface Verdicts {
  readonly id: string;
  readonly matched: number;
  readonly passes: number;
  readonly introduced: readonly { readonly urn: string }[];
  readonly fixed: readonly { readonly urn: string }[];
  readonly existing: readonly { readonly urn: string }[];
  readonly unknown: readonly object[];
}

async function checked(site: Site, ...flags: readonly string[]): Promise<readonly Verdicts[]> {
  const asked = ["check", "--format", "json", ...flags];
  const { stdout, stderr } = flags.includes("--snapshot")
    ? await runCli([...asked, "--quiet"], { cwd: site.root })
    : await site.run(asked);
  expect(stderr).toBe("");
  return (JSON.parse(stdout) as { readonly policies: readonly Verdicts[] }).policies;
}

/** Of each policy how many pass, and what violates it. */
const violating = (verdicts: readonly Verdicts[]): object =>
  Object.fromEntries(
    verdicts.map(({ id, passes, existing, unknown }) => [
      id,
      [passes, ...existing.map(({ urn }) => urn), ...unknown],
    ]),
  );

const live = {
  "a-check": [1, outside],
  "a-match": [0, inside],
  "a-not": [0, outside],
  "a-require": [1, outside],
  "g-check": [1],
  "g-match": [0, team],
  "g-require": [0, team],
  "u-check": [1, bob, root],
  "u-not": [1, bob],
  "u-require": [1, bob, root],
};

test("what stands at the other end of an edge is judged, by a server and by a snapshot", async () => {
  const site = await makeSite();
  expect(violating(await checked(site))).toEqual(live);
  expect(violating(await checked(site, "--live"))).toEqual(live);
  const snapshot = join(site.root, "s.json");
  expect(await site.run(["export", "--snapshot", snapshot])).toMatchObject({ code: 0 });
  expect(violating(await checked(site, "--snapshot", snapshot))).toEqual(live);
  const listed = await site.run(["list", "--policy", "a-require", "--format", "csv"]);
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toContain("out");
  expect(listed.stdout).not.toContain(inside);
  const { code, stdout } = await site.run(["coverage", "--format", "json"]);
  const { policies: covered } = JSON.parse(stdout) as { readonly policies: readonly Verdicts[] };
  expect(code).toBe(0);
  expect(covered.find(({ id }) => id === "a-require")).toEqual({ id: "a-require", matched: 2, passes: 1 });
});

/** What a plan introduces and fixes, and the same by a check. */
async function planned(site: Site, ...flags: readonly string[]): Promise<readonly (readonly object[])[]> {
  const plan = (await site.planned(...flags)) as unknown as { readonly policies: readonly Verdicts[] };
  const brief = (verdicts: readonly Verdicts[]): readonly object[] =>
    verdicts.flatMap(({ id, introduced, fixed }) => [
      ...introduced.map(({ urn }) => [id, "introduced", urn]),
      ...fixed.map(({ urn }) => [id, "fixed", urn]),
    ]);
  return [brief(plan.policies), brief(await checked(site))];
}

test.each<readonly [string, string, readonly (readonly string[])[]]>([
  [
    "a data product",
    `{ kind: DataProduct, id: p, assets: ["${outside}"], manage: authoritative }`,
    [
      ["a-check", "introduced", inside],
      ["a-check", "fixed", outside],
      ["a-match", "introduced", outside],
      ["a-match", "fixed", inside],
      ["a-not", "introduced", inside],
      ["a-not", "fixed", outside],
      ["a-require", "introduced", inside],
      ["a-require", "fixed", outside],
    ],
  ],
  [
    "a group",
    "{ kind: Group, id: team, members: [bob], manage: authoritative }",
    [
      ["g-match", "fixed", `${team}`],
      ["g-require", "fixed", `${team}`],
      ["u-check", "introduced", `${ann}`],
      ["u-check", "fixed", `${bob}`],
      ["u-not", "introduced", `${ann}`],
      ["u-not", "fixed", `${bob}`],
      ["u-require", "introduced", `${ann}`],
      ["u-require", "fixed", `${bob}`],
    ],
  ],
])("what changes at %s is judged at both ends, by a plan as by a check", async (_, declared, expected) => {
  const site = await makeSite();
  site.commit({ "catalog/edges.yaml": `${declared}\n` });
  const [plan, check] = await planned(site);
  expect(plan).toEqual(expected);
  expect(check).toEqual(expected);
});

test("an apply with such a policy is not stopped, and judges the new members", async () => {
  const site = await makeSite();
  site.commit({ "catalog/edges.yaml": `{ kind: DataProduct, id: p, assets: ["${outside}"] }\n` });
  const { code, stdout } = await site.apply();
  expect(stdout).toContain("Blocked: policy a-match: 1 violation");
  expect(code).toBe(4);
});

test("a changed membership is judged where owners' groups are asked for", async () => {
  const site = await makeSite();
  const check = `asset.owners.all(o, "team" in o.groups)`;
  site.commit({
    "catalog/policies.yaml": `{ kind: Policy, id: p, match: { kind: Dataset }, check: '${check}' }\n`,
    "catalog/edges.yaml": "{ kind: Group, id: team, members: [], manage: authoritative }\n",
  });
  const [plan, verdicts] = await planned(site);
  expect(plan).toEqual([["p", "introduced", inside]]);
  expect(verdicts).toEqual(plan);
  const { code, stdout } = await site.run(["list", "--planned", "--policy", "p", "--format", "csv"]);
  expect(code).toBe(0);
  expect(stdout).toContain(inside);
});
