import { metadataFile, type MadeAspect, temporaryDirectory } from "./catalog.ts";
import { type Site, siteWith } from "./site.ts";
import { datasetNamed } from "./states.ts";

const definitions = `
- { kind: Domain, id: corporate, name: Corporate }
- { kind: Domain, id: finance, name: Finance, parent_domain: corporate }
- { kind: Domain, id: sales, name: Sales, description: What we sell., parent_domain: corporate }
- { kind: Tag, id: pii, name: PII }
- { kind: Tag, id: gold, name: Gold, description: The best., color_hex: "#C0392B" }
- { kind: Tag, id: kept, name: Kept }
- { kind: User, id: alice, display_name: Alice, title: Steward, manager_urn: carol, slack: alice }
- { kind: User, id: bob, display_name: Bob, manager_urn: alice }
- { kind: User, id: carol, display_name: Carol }
- { kind: Group, id: finance, display_name: Finance, slack: finance, members: [alice] }
- { kind: Group, id: sales, display_name: Sales, members: [carol] }
- { kind: Group, id: team, members: [alice] }
`;

const datasetOf = (name: string): string => `
kind: Dataset
platform: snowflake
name: ${name}
domain: finance
tags: [pii, ready, kept]
owners: [{ user: alice }]
columns: { email: { tags: [gold] } }
`;

const technicalOwner = "urn:li:ownershipType:__system__technical_owner";

/** Each dataset has values that are replaced, and one that is kept. */
function aspectsOf(name: string): readonly MadeAspect[] {
  const urn = datasetNamed(name);
  const tagged = (...ids: readonly string[]) => ({ tags: ids.map((id) => ({ tag: `urn:li:tag:${id}` })) });
  return [
    [urn, "schemaMetadata", { fields: [{ fieldPath: "email", nativeDataType: "text" }] }],
    [urn, "globalTags", tagged("old", "kept")],
    [
      urn,
      "ownership",
      { owners: [{ owner: "urn:li:corpuser:bob", type: "CUSTOM", typeUrn: technicalOwner }] },
    ],
    [urn, "domains", { domains: ["urn:li:domain:sales"] }],
    [
      urn,
      "editableSchemaMetadata",
      { editableSchemaFieldInfo: [{ fieldPath: "email", globalTags: tagged("old") }] },
    ],
  ];
}

const lone = datasetNamed("lone");

/** What is in the catalog beside the datasets, declared or not. */
const others: readonly MadeAspect[] = [
  [lone, "status", { removed: false }],
  ...["old", "ready", "theirs"].map((id): MadeAspect => [`urn:li:tag:${id}`, "tagProperties", { name: id }]),
  ["urn:li:tag:kept", "tagProperties", { name: "kept", description: "Somebody's." }],
  ...["home", "sales", "theirs"].map((id): MadeAspect => [
    `urn:li:domain:${id}`,
    "domainProperties",
    { name: id },
  ]),
  ["urn:li:corpuser:bob", "corpUserInfo", { active: true, displayName: "bob", title: "Clerk" }],
  ["urn:li:corpuser:bob", "nativeGroupMembership", { nativeGroups: ["urn:li:corpGroup:team"] }],
  ["urn:li:corpuser:dave", "corpUserInfo", { active: true, displayName: "Dave" }],
  ["urn:li:corpGroup:team", "corpGroupInfo", { admins: [], members: [], groups: [] }],
  ["urn:li:corpGroup:team", "origin", { type: "NATIVE" }],
];

/** The flags with which all of it is applied. */
export const toRemove = ["--max-removals", "999", "--max-removals", "100%"];

/** A repository and a catalog in which much has to be created, added, replaced and removed, of so many datasets `d0`, `d1`, … */
export async function siteToChange(datasets: number): Promise<Site> {
  const names = Array.from({ length: datasets }, (_, index) => `d${index}`);
  const site = await siteWith({
    "definitions.yaml": definitions,
    "datasets.yaml": names.map(datasetOf).join("---"),
    "lone.yaml": "kind: Dataset\nplatform: snowflake\nname: lone\ndomain: home\nowners: [{ user: dave }]\n",
  });
  const aspects = [...names.flatMap(aspectsOf), ...others];
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  return site;
}
