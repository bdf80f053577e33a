import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { schemaWith } from "../support/schema.ts";
import { appliedRef, settingsWith, type Site, siteOnce, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const orders = datasetNamed("orders");
const [team, bob] = ["urn:li:corpGroup:team", "urn:li:corpuser:bob"];
const [pii, mail] = ["urn:li:tag:pii", "urn:li:tag:mail"];
const [term, finance] = ["urn:li:glossaryTerm:revenue", "urn:li:domain:finance"];
const property = "urn:li:structuredProperty:tier";
const product = "urn:li:dataProduct:p";

const world: readonly MadeAspect[] = [
  [pii, "tagProperties", { name: "pii" }],
  [mail, "tagProperties", { name: "mail" }],
  [term, "glossaryTermInfo", { name: "revenue", definition: "d", termSource: "INTERNAL" }],
  [finance, "domainProperties", { name: "finance" }],
  [team, "corpGroupInfo", { displayName: "team", admins: [], members: [], groups: [] }],
  [bob, "corpUserInfo", { active: true }],
  [bob, "nativeGroupMembership", { nativeGroups: [team] }],
  [product, "dataProductProperties", { name: "p", assets: [{ destinationUrn: orders }] }],
  [
    property,
    "propertyDefinition",
    {
      qualifiedName: "tier",
      valueType: "urn:li:dataType:datahub.string",
      entityTypes: ["urn:li:entityType:datahub.dataset"],
    },
  ],
  [orders, "structuredProperties", { properties: [{ propertyUrn: property, values: [{ string: "1" }] }] }],
  [orders, "globalTags", { tags: [{ tag: pii }] }],
  [orders, "glossaryTerms", { terms: [{ urn: term }], auditStamp: { time: 0, actor: bob } }],
  [orders, "domains", { domains: [finance] }],
  [orders, "ownership", { owners: [{ owner: team, type: "DATAOWNER" }] }],
  [orders, "schemaMetadata", schemaWith("id")],
  [
    orders,
    "editableSchemaMetadata",
    { editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: mail }] } }] },
  ],
];

const declared = `
- { kind: Tag, id: pii }
- { kind: Tag, id: mail }
- { kind: Tag, id: none }
- { kind: GlossaryTerm, id: revenue }
- { kind: Domain, id: finance }
- { kind: Group, id: team }
- { kind: User, id: bob }
- { kind: DataProduct, id: p }
- { kind: StructuredProperty, id: tier, entity_types: [dataset] }
`;

const policies = `
- { kind: Policy, id: columns, match: { kind: Dataset }, columns: { require: { tags: true } } }
- { kind: Policy, id: domain, match: { kind: Dataset }, require: { domain: true } }
- { kind: Policy, id: members, match: { kind: Group }, require: { members: true } }
- { kind: Policy, id: owner, match: { kind: Dataset }, require: { owners: { active: true } } }
- { kind: Policy, id: product, match: { kind: Dataset }, require: { data_products: true } }
- { kind: Policy, id: property, match: { kind: Dataset }, require: { structured_properties: { tier: true } } }
- { kind: Policy, id: tag, match: { kind: Dataset }, require: { tags: true } }
- { kind: Policy, id: term, match: { kind: Dataset }, check: asset.glossary_terms.size() > 0 }
- { kind: Policy, id: user, match: { kind: User, urn: "*bob" }, require: { groups: true } }
`;

const makeSite = siteOnce(async (): Promise<Site> => {
  const kinds = "[Tag, Domain, GlossaryTerm, Group, User, DataProduct, StructuredProperty]";
  const settings = settingsWith(
    "manage: merge",
    `prune: { kinds: ${kinds} }`,
    "guards: { deletes: { max_count: 9 } }",
  );
  const site = await siteWith({ "all.yaml": declared, "policies.yaml": policies }, settings);
  site.git("update-ref", appliedRef, "HEAD");
  await site.catalog.load(metadataFile(temporaryDirectory(), world));
  return site;
});

interface Verdicts {
  readonly id: string;
  readonly introduced: readonly { readonly urn: string; readonly source?: object }[];
  readonly existing: readonly { readonly urn: string }[];
}

async function policiesOf(site: Site, ...argv: readonly string[]): Promise<readonly Verdicts[]> {
  const asked = [...argv, "--format", "json"];
  const { stdout, stderr } =
    argv[0] === "merge-plans" ? await runCli(asked, { cwd: site.root }) : await site.run(asked);
  expect(stderr).toBe("");
  return (JSON.parse(stdout) as { readonly policies: readonly Verdicts[] }).policies;
}

test.each<readonly [gone: string, introduced: readonly (readonly [id: string, urn: string])[]]>([
  ["{ kind: Tag, id: pii }", [["tag", orders]]],
  ["{ kind: Tag, id: mail }", [["columns", orders]]],
  ["{ kind: Tag, id: none }", []],
  ["{ kind: GlossaryTerm, id: revenue }", [["term", orders]]],
  ["{ kind: Domain, id: finance }", [["domain", orders]]],
  ["{ kind: DataProduct, id: p }", [["product", orders]]],
  ["{ kind: StructuredProperty, id: tier, entity_types: [dataset] }", [["property", orders]]],
  [
    "{ kind: Group, id: team }",
    [
      ["owner", orders],
      ["user", bob],
    ],
  ],
  ["{ kind: User, id: bob }", [["members", team]]],
])(
  "what a prune of %s takes from others is introduced, at the line that is gone",
  async (gone, introduced) => {
    const site = await makeSite();
    site.commit({ "catalog/all.yaml": declared.replace(`- ${gone}\n`, "") });

    const found = await policiesOf(site, "plan", "--prune");

    expect(found.flatMap(({ id, introduced: all }) => all.map(({ urn }) => [id, urn]))).toEqual(introduced);
    for (const { introduced: all } of found)
      for (const { source } of all) expect(source).toMatchObject({ file: "catalog/all.yaml" });
    const { code } = await site.apply("--prune");
    expect(code).toBe(introduced.length > 0 ? 4 : 0);
  },
);

test("what an apply then takes is what the plan said", async () => {
  const site = await makeSite();
  site.commit({
    "catalog/all.yaml": "- { kind: Group, id: team }\n- { kind: User, id: bob }\n",
    "catalog/policies.yaml": policies.replaceAll(" match:", " severity: warning, match:"),
  });
  const found = await policiesOf(site, "plan", "--prune");
  const planned = found.flatMap(({ id, introduced: all }) => all.map(({ urn }) => [id, urn]));
  expect(planned.map(([id]) => id)).toEqual(["columns", "domain", "product", "property", "tag", "term"]);
  const { code, stdout } = await site.apply("--prune");
  expect(code, stdout).toBe(0);
  const live = await policiesOf(site, "check", "--live");
  expect(live.flatMap(({ id, existing }) => existing.map(({ urn }) => [id, urn]))).toEqual(planned);
});

test("shards judge what a prune takes from others once, each what is its own", async () => {
  const site = await makeSite();
  site.commit({ "catalog/all.yaml": "kind: Tag\nid: none\n" });
  const whole = await policiesOf(site, "plan", "--prune");
  const files = ["1/2", "2/2"].map((shard) => `${shard.replace("/", "-")}.json`);
  for (const [index, file] of files.entries())
    await site.run(["plan", "--prune", "--shard", `${index + 1}/2`, "--out", file]);
  expect(await policiesOf(site, "merge-plans", ...files)).toEqual(whole);
});
