import { describe, expect, test } from "vitest";
import { catalogSchema } from "../../../src/local-catalog/graphql/schema.ts";
import {
  alice,
  catalogWith,
  custom,
  finance,
  folder,
  missing,
  orders,
  pii,
  proposal,
  sharedCatalog,
  shop,
  stewards,
  tier,
  type Answer,
  serverError,
} from "../support.ts";
import {
  chart,
  dashboard,
  finances,
  flow,
  glossary,
  job,
  margin,
  model,
  revenue,
  samples,
} from "../samples.ts";

const loans = "urn:li:domain:loans";
const wiki = "https://wiki.acme.com/finance";
const product = "urn:li:dataProduct:sales";
const days = "urn:li:structuredProperty:days";
const bob = "urn:li:corpuser:bob";
const okta = "urn:li:corpGroup:okta";
const admins = "urn:li:corpGroup:admins";
const gone = (type: string) => `urn:li:${type}:gone`;

const world: readonly object[] = [
  ...shop,
  ...samples,
  ...glossary,
  proposal(revenue, "glossaryRelatedTerms", { hasRelatedTerms: [margin] }),
  proposal(loans, "domainProperties", { name: "Loans", parentDomain: finance }),
  proposal(product, "dataProductProperties", { name: "Sales" }),
  proposal(product, "domains", { domains: [finance] }),
  proposal(days, "propertyDefinition", {
    qualifiedName: "days",
    valueType: "urn:li:dataType:datahub.number",
    entityTypes: ["urn:li:entityType:datahub.dataset"],
  }),
  proposal(finance, "institutionalMemory", {
    elements: [{ url: wiki, description: "Runbook", createStamp: { time: 0, actor: alice } }],
  }),
  proposal(bob, "corpUserInfo", { active: true, displayName: "Bob" }),
  proposal(okta, "corpGroupInfo", { admins: [], members: [], groups: [] }),
  proposal(okta, "origin", { type: "EXTERNAL", externalType: "Okta" }),
  proposal(admins, "corpGroupInfo", { admins: [], members: [], groups: [] }),
  proposal(admins, "origin", { type: "NATIVE" }),
];

const inputTypes: Readonly<Record<string, string>> = {
  createDomain: "CreateDomainInput",
  moveDomain: "MoveDomainInput",
  batchSetDomain: "BatchSetDomainInput",
  addOwners: "AddOwnersInput",
  batchAddOwners: "BatchAddOwnersInput",
  removeOwner: "RemoveOwnerInput",
  createTag: "CreateTagInput",
  addTag: "TagAssociationInput",
  batchAddTags: "BatchAddTagsInput",
  batchRemoveTags: "BatchRemoveTagsInput",
  addTerm: "TermAssociationInput",
  addTerms: "AddTermsInput",
  batchAddTerms: "BatchAddTermsInput",
  removeTerm: "TermAssociationInput",
  batchRemoveTerms: "BatchRemoveTermsInput",
  createGlossaryTerm: "CreateGlossaryEntityInput",
  createGlossaryNode: "CreateGlossaryEntityInput",
  updateParentNode: "UpdateParentNodeInput",
  addRelatedTerms: "RelatedTermsInput",
  removeRelatedTerms: "RelatedTermsInput",
  updateName: "UpdateNameInput",
  updateDescription: "DescriptionUpdateInput",
  createGroup: "CreateGroupInput",
  addGroupMembers: "AddGroupMembersInput",
  removeGroupMembers: "RemoveGroupMembersInput",
  batchUpdateSoftDeleted: "BatchUpdateSoftDeletedInput",
  createDataProduct: "CreateDataProductInput",
  batchSetDataProduct: "BatchSetDataProductInput",
  batchAddToDataProducts: "BatchSetDataProductsInput",
  batchRemoveFromDataProducts: "BatchSetDataProductsInput",
  createStructuredProperty: "CreateStructuredPropertyInput",
  updateStructuredProperty: "UpdateStructuredPropertyInput",
  deleteStructuredProperty: "DeleteStructuredPropertyInput",
  upsertStructuredProperties: "UpsertStructuredPropertiesInput",
  removeStructuredProperties: "RemoveStructuredPropertiesInput",
  addLink: "AddLinkInput",
  updateLink: "UpdateLinkInput",
  removeLink: "RemoveLinkInput",
  updateDeprecation: "UpdateDeprecationInput",
  batchUpdateDeprecation: "BatchUpdateDeprecationInput",
};

const byUrn =
  /^(deleteDomain|deleteTag|removeGroup|removeUser|deleteOwnershipType|deleteGlossaryEntity|deleteDataProduct)$/;

/** What is selected of the mutations that take an input and answer an object. */
const answers: Readonly<Record<string, string>> = {
  createDataProduct: "{ urn }",
  createStructuredProperty: "{ urn }",
  updateStructuredProperty: "{ urn }",
  upsertStructuredProperties: "{ properties { structuredProperty { urn } } }",
  removeStructuredProperties: "{ properties { structuredProperty { urn } } }",
};

/** The input types of the mutations of one entity that take a URN beside an input, and answer the entity. */
const updates: Readonly<Record<string, string>> = {
  updateCorpUserProperties: "CorpUserUpdateInput",
  updateCorpGroupProperties: "CorpGroupUpdateInput",
  updateDataProduct: "UpdateDataProductInput",
  updateDataset: "DatasetUpdateInput",
  updateChart: "ChartUpdateInput",
  updateDashboard: "DashboardUpdateInput",
  updateDataFlow: "DataFlowUpdateInput",
  updateDataJob: "DataJobUpdateInput",
};

/** The request that calls a mutation. */
function request(name: string, args: object): { query: string; variables: object } {
  const type = inputTypes[name];
  const answer = answers[name] ?? "";
  if (type)
    return {
      query: `mutation ($i: ${type}!) { done: ${name}(input: $i) ${answer} }`,
      variables: { i: args },
    };
  if (byUrn.test(name))
    return { query: `mutation ($urn: String!) { done: ${name}(urn: $urn) }`, variables: args };
  if (name === "setTagColor")
    return {
      query:
        "mutation ($urn: String!, $colorHex: String!) { done: setTagColor(urn: $urn, colorHex: $colorHex) }",
      variables: args,
    };
  return {
    query: `mutation ($urn: String!, $i: ${updates[name]}!) { done: ${name}(urn: $urn, input: $i) { urn } }`,
    variables: args,
  };
}

function call(
  catalog: { send(query: string, variables?: object): Promise<Answer> },
  name: string,
  args: object,
): Promise<Answer> {
  const { query, variables } = request(name, args);
  return catalog.send(query, variables);
}

const owner = (ownerUrn: string, more: object = {}) => ({
  ownerUrn,
  ownerEntityType: "CORP_USER",
  type: "TECHNICAL_OWNER",
  ...more,
});
const editing = { editableProperties: { description: "d" } };
const noChart = "urn:li:chart:(looker,none)";
const inColumn = (subResource: string) => ({ subResourceType: "DATASET_FIELD", subResource });

const successes: readonly (readonly [string, string, object, unknown])[] = [
  ["createDomain at the root", "createDomain", { id: "risk", name: "Risk" }, "urn:li:domain:risk"],
  [
    "createDomain under a parent, with a name that another parent's child has",
    "createDomain",
    { id: "finance-2", name: "Finance", parentDomain: finance },
    "urn:li:domain:finance-2",
  ],
  ["moveDomain to the root", "moveDomain", { resourceUrn: loans, parentDomain: null }, true],
  ["deleteDomain", "deleteDomain", { urn: loans }, true],
  ["deleteDomain of a missing one", "deleteDomain", { urn: gone("domain") }, true],
  ["batchSetDomain", "batchSetDomain", { domainUrn: finance, resources: [{ resourceUrn: orders }] }, true],
  [
    "batchSetDomain to none",
    "batchSetDomain",
    { domainUrn: null, resources: [{ resourceUrn: folder }] },
    true,
  ],
  ["addOwners", "addOwners", { owners: [owner(alice), owner(bob)], resourceUrn: orders }, true],
  [
    "addOwners of a group by an own type",
    "addOwners",
    {
      owners: [{ ownerUrn: stewards, ownerEntityType: "CORP_GROUP", ownershipTypeUrn: custom }],
      resourceUrn: finance,
    },
    true,
  ],
  [
    "batchAddOwners",
    "batchAddOwners",
    { owners: [owner(alice)], resources: [{ resourceUrn: orders }, { resourceUrn: pii }] },
    true,
  ],
  [
    "removeOwner of one who is none",
    "removeOwner",
    { ownerUrn: gone("corpuser"), resourceUrn: orders },
    true,
  ],
  ["createTag", "createTag", { id: "secret", name: "Secret" }, "urn:li:tag:secret"],
  ["setTagColor", "setTagColor", { urn: pii, colorHex: "#C0392B" }, true],
  ["deleteTag", "deleteTag", { urn: pii }, true],
  ["deleteTag of a missing one", "deleteTag", { urn: gone("tag") }, true],
  ["addTag", "addTag", { tagUrn: pii, resourceUrn: orders }, true],
  ["addTag on a column", "addTag", { tagUrn: pii, resourceUrn: orders, ...inColumn("id") }, true],
  [
    "batchAddTags",
    "batchAddTags",
    { tagUrns: [pii, tier], resources: [{ resourceUrn: orders }, { resourceUrn: folder }] },
    true,
  ],
  [
    "batchRemoveTags of what does not exist",
    "batchRemoveTags",
    { tagUrns: [gone("tag")], resources: [{ resourceUrn: orders, ...inColumn("id") }] },
    true,
  ],
  ["addTerm", "addTerm", { termUrn: revenue, resourceUrn: chart }, true],
  ["addTerms on a column", "addTerms", { termUrns: [revenue], resourceUrn: orders, ...inColumn("id") }, true],
  [
    "batchAddTerms",
    "batchAddTerms",
    { termUrns: [revenue, margin], resources: [{ resourceUrn: job }, { resourceUrn: folder }] },
    true,
  ],
  ["removeTerm of a missing one", "removeTerm", { termUrn: gone("glossaryTerm"), resourceUrn: orders }, true],
  ["removeTerm of what is no term", "removeTerm", { termUrn: pii, resourceUrn: orders }, false],
  [
    "batchRemoveTerms",
    "batchRemoveTerms",
    { termUrns: [margin], resources: [{ resourceUrn: model }, { resourceUrn: flow }] },
    true,
  ],
  [
    "createGlossaryTerm in a node, with a name that a term at the root has",
    "createGlossaryTerm",
    { id: "cost", name: "Cost", parentNode: finances },
    "urn:li:glossaryTerm:cost",
  ],
  [
    "createGlossaryTerm in a node that does not exist",
    "createGlossaryTerm",
    { id: "cost", name: "Cost", parentNode: gone("glossaryNode") },
    "urn:li:glossaryTerm:cost",
  ],
  [
    "createGlossaryNode with a name that another one has",
    "createGlossaryNode",
    { id: "money", name: "Finances" },
    "urn:li:glossaryNode:money",
  ],
  ["updateParentNode", "updateParentNode", { resourceUrn: margin, parentNode: finances }, true],
  ["updateParentNode to the root", "updateParentNode", { resourceUrn: revenue, parentNode: null }, true],
  ["addRelatedTerms", "addRelatedTerms", { urn: margin, termUrns: [revenue], relationshipType: "isA" }, true],
  [
    "removeRelatedTerms of one that is not related",
    "removeRelatedTerms",
    { urn: revenue, termUrns: [gone("glossaryTerm")], relationshipType: "hasA" },
    true,
  ],
  ["deleteGlossaryEntity of a term", "deleteGlossaryEntity", { urn: revenue }, true],
  ["deleteGlossaryEntity of a node that has a term", "deleteGlossaryEntity", { urn: finances }, true],
  ["updateName of a term", "updateName", { urn: revenue, name: "Income" }, true],
  ["updateName of a node", "updateName", { urn: finances, name: "Money" }, true],
  ["updateName of a domain", "updateName", { urn: finance, name: "Money" }, true],
  ["updateName of a group", "updateName", { urn: stewards, name: "Stewards" }, true],
  ["updateName of a dataset", "updateName", { urn: orders, name: "Orders" }, true],
  ["updateDescription of a domain", "updateDescription", { resourceUrn: finance, description: "d" }, true],
  ["updateDescription of a tag", "updateDescription", { resourceUrn: pii, description: "d" }, true],
  ["updateDescription of a group", "updateDescription", { resourceUrn: stewards, description: "d" }, true],
  ["updateDescription of a container", "updateDescription", { resourceUrn: folder, description: "d" }, true],
  [
    "updateDescription of a column",
    "updateDescription",
    { resourceUrn: orders, description: "d", ...inColumn("id") },
    true,
  ],
  ["updateDescription of a dataset", "updateDescription", { resourceUrn: orders, description: "d" }, true],
  ["updateDataset", "updateDataset", { urn: orders, i: editing }, { urn: orders }],
  ["updateChart of one that is not there yet", "updateChart", { urn: noChart, i: editing }, { urn: noChart }],
  ["updateDashboard", "updateDashboard", { urn: dashboard, i: editing }, { urn: dashboard }],
  ["updateDataFlow", "updateDataFlow", { urn: flow, i: editing }, { urn: flow }],
  ["updateDataJob of nothing", "updateDataJob", { urn: job, i: {} }, { urn: job }],
  ["createGroup", "createGroup", { id: "risk", name: "Risk" }, "urn:li:corpGroup:risk"],
  ["addGroupMembers", "addGroupMembers", { groupUrn: admins, userUrns: [alice, bob] }, true],
  [
    "removeGroupMembers of one who is none",
    "removeGroupMembers",
    { groupUrn: admins, userUrns: [alice] },
    true,
  ],
  ["removeGroup", "removeGroup", { urn: admins }, true],
  ["removeUser", "removeUser", { urn: alice }, true],
  ["deleteOwnershipType", "deleteOwnershipType", { urn: custom }, true],
  ["batchUpdateSoftDeleted", "batchUpdateSoftDeleted", { urns: [orders], deleted: true }, true],
  [
    "createDataProduct",
    "createDataProduct",
    { id: "payments", domainUrn: finance, properties: { name: "Payments" } },
    { urn: "urn:li:dataProduct:payments" },
  ],
  ["updateDataProduct", "updateDataProduct", { urn: product, i: { name: "Sold" } }, { urn: product }],
  ["deleteDataProduct", "deleteDataProduct", { urn: product }, true],
  [
    "batchSetDataProduct",
    "batchSetDataProduct",
    { dataProductUrn: product, resourceUrns: [orders, folder] },
    true,
  ],
  [
    "batchAddToDataProducts",
    "batchAddToDataProducts",
    { dataProductUrns: [product], resourceUrns: [orders] },
    true,
  ],
  [
    "batchRemoveFromDataProducts of what is not in it",
    "batchRemoveFromDataProducts",
    { dataProductUrns: [product], resourceUrns: [orders] },
    true,
  ],
  [
    "createStructuredProperty",
    "createStructuredProperty",
    {
      id: "masking",
      valueType: "urn:li:dataType:datahub.string",
      entityTypes: ["urn:li:entityType:datahub.dataset"],
    },
    { urn: "urn:li:structuredProperty:masking" },
  ],
  ["updateStructuredProperty", "updateStructuredProperty", { urn: days, displayName: "Days" }, { urn: days }],
  ["deleteStructuredProperty", "deleteStructuredProperty", { urn: days }, true],
  [
    "upsertStructuredProperties",
    "upsertStructuredProperties",
    {
      assetUrn: orders,
      structuredPropertyInputParams: [{ structuredPropertyUrn: days, values: [{ numberValue: 90 }] }],
    },
    { properties: [{ structuredProperty: { urn: days } }] },
  ],
  [
    "removeStructuredProperties of one that is not set",
    "removeStructuredProperties",
    { assetUrn: orders, structuredPropertyUrns: [days] },
    { properties: [] },
  ],
  ["addLink with another label", "addLink", { linkUrl: wiki, label: "Guide", resourceUrn: finance }, true],
  [
    "updateLink",
    "updateLink",
    { currentUrl: wiki, currentLabel: "Runbook", linkUrl: wiki, label: "Guide", resourceUrn: finance },
    true,
  ],
  ["removeLink that is not there", "removeLink", { linkUrl: wiki, resourceUrn: orders }, true],
  ["updateDeprecation", "updateDeprecation", { urn: orders, deprecated: true }, true],
  [
    "batchUpdateDeprecation",
    "batchUpdateDeprecation",
    { deprecated: true, resources: [{ resourceUrn: orders }, { resourceUrn: revenue }] },
    true,
  ],
  [
    "updateCorpUserProperties",
    "updateCorpUserProperties",
    { urn: alice, i: { title: "Steward" } },
    { urn: alice },
  ],
  [
    "updateCorpUserProperties of one who is not there yet",
    "updateCorpUserProperties",
    { urn: gone("corpuser"), i: { title: "Steward" } },
    { urn: gone("corpuser") },
  ],
  [
    "updateCorpGroupProperties",
    "updateCorpGroupProperties",
    { urn: stewards, i: { email: "s@acme.com" } },
    { urn: stewards },
  ],
];

describe("a mutation that DataHub accepts returns what DataHub returns", () => {
  test.each(successes)("%s", async (_title, name, args, done) => {
    const catalog = await catalogWith(world);
    expect(await call(catalog, name, args)).toEqual({ status: 200, data: { done } });
  });
});

const noEntity = `Failed to update resource with urn ${missing}. Entity does not exist.`;
const noResource = `Failed to change ownership for resource ${missing}. Resource does not exist.`;
const ownership = "Failed to change ownership for resource(s).";
const noRights = "Unauthorized to perform this action. Please contact your DataHub administrator.";
const types = {
  400: "BAD_REQUEST",
  403: "UNAUTHORIZED",
  404: "NOT_FOUND",
  409: "CONFLICT",
  500: "SERVER_ERROR",
} as const;

type RefusedCase = readonly [
  title: string,
  name: string,
  args: object,
  code: keyof typeof types,
  message: string,
];

const refusals: readonly RefusedCase[] = [
  [
    "createDomain, id taken",
    "createDomain",
    { id: "finance", name: "New" },
    400,
    "This Domain already exists!",
  ],
  [
    "createDomain, missing parent",
    "createDomain",
    { name: "New", parentDomain: gone("domain") },
    400,
    "Parent Domain does not exist!",
  ],
  [
    "createDomain, name taken at the root",
    "createDomain",
    { name: "Finance" },
    409,
    '"Finance" already exists in this domain. Please pick a unique name.',
  ],
  [
    "moveDomain, missing domain",
    "moveDomain",
    { resourceUrn: gone("domain") },
    400,
    "Domain properties do not exist.",
  ],
  [
    "moveDomain, missing parent",
    "moveDomain",
    { resourceUrn: loans, parentDomain: gone("domain") },
    400,
    "Parent entity does not exist.",
  ],
  [
    "moveDomain, a tag for a domain",
    "moveDomain",
    { resourceUrn: pii, parentDomain: finance },
    400,
    "Resource is not a domain.",
  ],
  [
    "moveDomain, a tag for a parent",
    "moveDomain",
    { resourceUrn: loans, parentDomain: pii },
    400,
    "Parent entity is not a domain.",
  ],
  [
    "moveDomain under its own child",
    "moveDomain",
    { resourceUrn: finance, parentDomain: loans },
    400,
    "Cannot move a domain under itself or one of its descendants.",
  ],
  [
    "moveDomain to where it is, whose name it has itself taken",
    "moveDomain",
    { resourceUrn: loans, parentDomain: finance },
    409,
    '"Loans" already exists in the destination domain. Please pick a unique name.',
  ],
  [
    "deleteDomain with children",
    "deleteDomain",
    { urn: finance },
    500,
    serverError(
      `Failed to perform delete against domain with urn ${finance}`,
      `Cannot delete domain ${finance} which has child domains`,
    ),
  ],
  [
    "batchSetDomain, missing target",
    "batchSetDomain",
    { domainUrn: finance, resources: [{ resourceUrn: orders }, { resourceUrn: missing }] },
    400,
    noEntity,
  ],
  [
    "batchSetDomain, missing domain",
    "batchSetDomain",
    { domainUrn: gone("domain"), resources: [{ resourceUrn: orders }] },
    400,
    `Failed to validate Domain with urn ${gone("domain")}. Urn does not exist.`,
  ],
  [
    "addOwners, missing target",
    "addOwners",
    { owners: [owner(alice)], resourceUrn: missing },
    400,
    noResource,
  ],
  [
    "addOwners, missing owner",
    "addOwners",
    { owners: [owner(alice), owner(gone("corpuser"))], resourceUrn: orders },
    400,
    `${ownership} Owner with urn ${gone("corpuser")} does not exist.`,
  ],
  [
    "addOwners, a group for a user",
    "addOwners",
    { owners: [owner(stewards)], resourceUrn: orders },
    400,
    `${ownership} Expected a corp user urn, found ${stewards}.`,
  ],
  [
    "addOwners, missing ownership type",
    "addOwners",
    { owners: [owner(alice, { ownershipTypeUrn: gone("ownershipType") })], resourceUrn: orders },
    400,
    `${ownership} Custom Ownership type with urn ${gone("ownershipType")} does not exist.`,
  ],
  [
    "addOwners on a user, who cannot have any",
    "addOwners",
    { owners: [owner(alice)], resourceUrn: bob },
    400,
    "Unknown aspect ownership for entity corpuser",
  ],
  [
    "batchAddOwners, missing target",
    "batchAddOwners",
    { owners: [owner(alice)], resources: [{ resourceUrn: orders }, { resourceUrn: missing }] },
    400,
    noEntity,
  ],
  [
    "batchAddOwners, missing owner",
    "batchAddOwners",
    { owners: [owner(gone("corpuser"))], resources: [{ resourceUrn: missing }] },
    400,
    `${ownership} Owner with urn ${gone("corpuser")} does not exist.`,
  ],
  [
    "batchAddOwners, a user for a group",
    "batchAddOwners",
    { owners: [owner(alice, { ownerEntityType: "CORP_GROUP" })], resources: [] },
    400,
    `${ownership} Expected a corp group urn, found ${alice}`,
  ],
  [
    "batchAddOwners, neither type nor ownershipTypeUrn",
    "batchAddOwners",
    { owners: [owner(alice, { type: null })], resources: [] },
    400,
    `${ownership} Expected either type or ownershipTypeUrn to be specified.`,
  ],
  [
    "batchAddOwners on a column",
    "batchAddOwners",
    { owners: [owner(alice)], resources: [{ resourceUrn: orders, ...inColumn("id") }] },
    400,
    "Malformed input provided: owners cannot be applied to subresources.",
  ],
  ["removeOwner, missing target", "removeOwner", { ownerUrn: alice, resourceUrn: missing }, 400, noResource],
  ["createTag, id taken", "createTag", { id: "pii", name: "PII" }, 400, "This Tag already exists!"],
  [
    "setTagColor, missing tag",
    "setTagColor",
    { urn: gone("tag"), colorHex: "#000" },
    400,
    `Failed to set Tag ${gone("tag")} color. Tag does not exist.`,
  ],
  [
    "setTagColor of a domain",
    "setTagColor",
    { urn: finance, colorHex: "#000" },
    400,
    "Unknown aspect tagProperties for entity domain",
  ],
  ["addTag, missing target", "addTag", { tagUrn: pii, resourceUrn: missing }, 400, noEntity],
  [
    "addTag, missing tag",
    "addTag",
    { tagUrn: gone("tag"), resourceUrn: orders },
    400,
    `Failed to validate label with urn ${gone("tag")}. Urn does not exist.`,
  ],
  [
    "addTag, a domain for a tag",
    "addTag",
    { tagUrn: finance, resourceUrn: orders },
    400,
    `Failed to validate label with urn ${finance}. Urn type does not match entity type tag..`,
  ],
  [
    "addTag, missing column",
    "addTag",
    { tagUrn: pii, resourceUrn: orders, ...inColumn("nope") },
    400,
    `Failed to update ${orders} & field nope. Field nope does not exist in the datasets schema.`,
  ],
  [
    "batchAddTags, missing target",
    "batchAddTags",
    { tagUrns: [pii], resources: [{ resourceUrn: orders }, { resourceUrn: missing }] },
    400,
    noEntity,
  ],
  [
    "batchAddTags, missing tag, which is checked first",
    "batchAddTags",
    { tagUrns: [pii, gone("tag")], resources: [{ resourceUrn: missing }] },
    400,
    `Failed to validate label with urn ${gone("tag")}. Urn does not exist.`,
  ],
  [
    "batchAddTags, a user for a tag",
    "batchAddTags",
    { tagUrns: [alice], resources: [{ resourceUrn: orders }] },
    400,
    `Failed to validate label with urn ${alice}. Urn type does not match entity type tag..`,
  ],
  [
    "batchAddTags, missing column without siblings",
    "batchAddTags",
    { tagUrns: [pii], resources: [{ resourceUrn: orders, ...inColumn("nope") }] },
    400,
    `Failed to update ${orders} & field nope. Field nope does not exist in the datasets schema.`,
  ],
  [
    "batchRemoveTags, missing target",
    "batchRemoveTags",
    { tagUrns: [pii], resources: [{ resourceUrn: missing }] },
    400,
    noEntity,
  ],
  [
    "batchRemoveTags, missing column",
    "batchRemoveTags",
    { tagUrns: [pii], resources: [{ resourceUrn: orders, ...inColumn("nope") }] },
    400,
    `Failed to update ${orders} & field nope. Field nope does not exist in the datasets schema.`,
  ],
  ["addTerm, missing target", "addTerm", { termUrn: revenue, resourceUrn: missing }, 400, noEntity],
  [
    "addTerms, missing term",
    "addTerms",
    { termUrns: [revenue, gone("glossaryTerm")], resourceUrn: orders },
    400,
    `Failed to validate label with urn ${gone("glossaryTerm")}. Urn does not exist.`,
  ],
  [
    "addTerms, a node for a term",
    "addTerms",
    { termUrns: [finances], resourceUrn: orders },
    400,
    `Failed to validate label with urn ${finances}. Urn type does not match entity type glossaryTerm..`,
  ],
  [
    "addTerms, missing column",
    "addTerms",
    { termUrns: [revenue], resourceUrn: orders, ...inColumn("nope") },
    400,
    `Failed to update ${orders} & field nope. Field nope does not exist in the datasets schema.`,
  ],
  ...[margin, finances, loans].map((urn): RefusedCase => [
    `addTerms on ${urn}, which cannot have any`,
    "addTerms",
    { termUrns: [revenue], resourceUrn: urn },
    400,
    `Unknown aspect glossaryTerms for entity ${urn.split(":")[2]}`,
  ]),
  [
    "batchAddTerms, missing target",
    "batchAddTerms",
    { termUrns: [revenue], resources: [{ resourceUrn: orders }, { resourceUrn: missing }] },
    400,
    noEntity,
  ],
  ["removeTerm, missing target", "removeTerm", { termUrn: revenue, resourceUrn: missing }, 400, noEntity],
  [
    "batchRemoveTerms, missing column",
    "batchRemoveTerms",
    { termUrns: [revenue], resources: [{ resourceUrn: orders, ...inColumn("nope") }] },
    400,
    `Failed to update ${orders} & field nope. Field nope does not exist in the datasets schema.`,
  ],
  [
    "createGlossaryTerm, id taken",
    "createGlossaryTerm",
    { id: "margin", name: "Other" },
    400,
    "This Glossary Term already exists!",
  ],
  [
    "createGlossaryTerm, name taken in the node",
    "createGlossaryTerm",
    { id: "income", name: "Revenue", parentNode: finances },
    400,
    "Glossary Term with this name already exists at this level of the Business Glossary",
  ],
  [
    "createGlossaryTerm, a tag for a node",
    "createGlossaryTerm",
    { id: "cost", name: "Cost", parentNode: pii },
    500,
    serverError(
      "Failed to create GlossaryTerm with id: cost, name: Cost",
      `Failed to create GlossaryNodeUrn from string: ${pii}`,
    ),
  ],
  [
    "createGlossaryNode, id taken",
    "createGlossaryNode",
    { id: "finances", name: "Other" },
    400,
    "This Glossary Node already exists!",
  ],
  [
    "updateParentNode, missing target",
    "updateParentNode",
    { resourceUrn: gone("glossaryTerm"), parentNode: finances },
    400,
    `Failed to update ${gone("glossaryTerm")}. ${gone("glossaryTerm")} does not exist.`,
  ],
  [
    "updateParentNode, missing node",
    "updateParentNode",
    { resourceUrn: margin, parentNode: gone("glossaryNode") },
    400,
    `Failed to update ${margin}. ${gone("glossaryNode")} either does not exist or is not a glossaryNode.`,
  ],
  [
    "updateParentNode, a term for a node",
    "updateParentNode",
    { resourceUrn: margin, parentNode: revenue },
    500,
    "An unknown error occurred.",
  ],
  [
    "updateParentNode of a tag",
    "updateParentNode",
    { resourceUrn: pii, parentNode: finances },
    500,
    serverError(`Failed to update parentNode. Unsupported resource type ${pii} provided.`),
  ],
  [
    "updateParentNode of a node into itself",
    "updateParentNode",
    { resourceUrn: finances, parentNode: finances },
    400,
    "Cannot move a glossary node under one of its own descendants.",
  ],
  [
    "addRelatedTerms to itself",
    "addRelatedTerms",
    { urn: margin, termUrns: [margin], relationshipType: "isA" },
    400,
    `Failed to update ${margin}. Tried to create related term with itself.`,
  ],
  [
    "addRelatedTerms to a missing one",
    "addRelatedTerms",
    { urn: margin, termUrns: [revenue, gone("glossaryTerm")], relationshipType: "hasA" },
    400,
    `Failed to update ${margin}. ${gone("glossaryTerm")} does not exist.`,
  ],
  [
    "addRelatedTerms to a node",
    "addRelatedTerms",
    { urn: margin, termUrns: [finances], relationshipType: "isA" },
    400,
    `Failed to update ${margin}. ${finances} is not a glossaryTerm.`,
  ],
  [
    "addRelatedTerms of a node",
    "addRelatedTerms",
    { urn: finances, termUrns: [margin], relationshipType: "isA" },
    400,
    `Failed to update ${finances}. ${finances} either does not exist or is not a glossaryTerm.`,
  ],
  [
    "addRelatedTerms of a tag",
    "addRelatedTerms",
    { urn: pii, termUrns: [], relationshipType: "isA" },
    403,
    noRights,
  ],
  [
    "removeRelatedTerms of a term without any",
    "removeRelatedTerms",
    { urn: margin, termUrns: [revenue], relationshipType: "isA" },
    500,
    serverError(
      `Failed to removes related terms from ${margin}`,
      `Related Terms for this Urn do not exist: ${margin}`,
    ),
  ],
  [
    "removeRelatedTerms of a term without any of the type",
    "removeRelatedTerms",
    { urn: revenue, termUrns: [margin], relationshipType: "isA" },
    500,
    serverError(
      `Failed to removes related terms from ${revenue}`,
      "Failed to remove from GlossaryRelatedTerms as they do not exist for this Glossary Term",
    ),
  ],
  [
    "deleteGlossaryEntity of a missing one",
    "deleteGlossaryEntity",
    { urn: gone("glossaryTerm") },
    500,
    serverError(`This urn does not exist: ${gone("glossaryTerm")}`),
  ],
  ["deleteGlossaryEntity of a tag", "deleteGlossaryEntity", { urn: pii }, 403, noRights],
  [
    "updateName, missing target",
    "updateName",
    { urn: gone("domain"), name: "n" },
    400,
    `Failed to update ${gone("domain")}. ${gone("domain")} does not exist.`,
  ],
  [
    "updateName of a tag",
    "updateName",
    { urn: pii, name: "n" },
    500,
    serverError(`Failed to update name. Unsupported resource type ${pii} provided`),
  ],
  [
    "updateName, name taken",
    "updateName",
    { urn: finance, name: "Finance" },
    409,
    '"Finance" already exists in this domain. Please pick a unique name.',
  ],
  [
    "updateDescription, missing target",
    "updateDescription",
    { resourceUrn: gone("tag"), description: "d" },
    400,
    `Failed to update ${gone("tag")}. ${gone("tag")} does not exist.`,
  ],
  [
    "updateDescription of a user",
    "updateDescription",
    { resourceUrn: alice, description: "d" },
    500,
    serverError(`Failed to update description. Unsupported resource type ${alice} provided`),
  ],
  ...[chart, dashboard, flow, job].map((urn): RefusedCase => [
    `updateDescription of ${urn}`,
    "updateDescription",
    { resourceUrn: urn, description: "d" },
    500,
    serverError(`Failed to update description. Unsupported resource type ${urn} provided`),
  ]),
  [
    "updateChart of a dataset",
    "updateChart",
    { urn: orders, i: editing },
    400,
    "Unknown aspect editableChartProperties for entity dataset",
  ],
  [
    "updateDescription, missing column",
    "updateDescription",
    { resourceUrn: orders, description: "d", ...inColumn("nope") },
    400,
    `Failed to update ${orders} & field nope. Field nope does not exist in the datasets schema.`,
  ],
  ["createGroup, id taken", "createGroup", { id: "stewards", name: "S" }, 400, "This Group already exists!"],
  [
    "addGroupMembers, missing group",
    "addGroupMembers",
    { groupUrn: gone("corpGroup"), userUrns: [alice] },
    404,
    `Failed to add members to group ${gone("corpGroup")}. Group does not exist.`,
  ],
  [
    "addGroupMembers, missing user",
    "addGroupMembers",
    { groupUrn: admins, userUrns: [gone("corpuser")] },
    500,
    serverError(`Failed to add group members to group ${admins}`),
  ],
  [
    "addGroupMembers, a group for a user",
    "addGroupMembers",
    { groupUrn: admins, userUrns: [stewards] },
    500,
    serverError(`Failed to add group members to group ${admins}`),
  ],
  [
    "addGroupMembers to an external group",
    "addGroupMembers",
    { groupUrn: okta, userUrns: [alice] },
    500,
    serverError(
      `Group ${okta} was ingested from an external provider and cannot have members manually added to it`,
    ),
  ],
  [
    "addGroupMembers to a tag",
    "addGroupMembers",
    { groupUrn: pii, userUrns: [alice] },
    500,
    serverError(`Failed to migrate group membership for group ${pii} when adding group members`),
  ],
  [
    "removeGroupMembers, missing group",
    "removeGroupMembers",
    { groupUrn: gone("corpGroup"), userUrns: [alice] },
    404,
    `Failed to add remove members from group ${gone("corpGroup")}. Group does not exist.`,
  ],
  [
    "removeGroupMembers from an external group",
    "removeGroupMembers",
    { groupUrn: okta, userUrns: [alice] },
    500,
    serverError(
      `Group ${okta} was ingested from an external provider and cannot have members manually removed from it`,
    ),
  ],
  [
    "updateCorpUserProperties of a group",
    "updateCorpUserProperties",
    { urn: stewards, i: { title: "t" } },
    400,
    `Unknown aspect corpUserEditableInfo for entity of ${stewards}`,
  ],
  [
    "updateCorpUserProperties, missing persona",
    "updateCorpUserProperties",
    { urn: alice, i: { personaUrn: gone("dataHubPersona") } },
    404,
    `Failed to update user ${alice}. Persona ${gone("dataHubPersona")} does not exist.`,
  ],
  [
    "updateCorpGroupProperties of a user",
    "updateCorpGroupProperties",
    { urn: alice, i: { email: "e" } },
    400,
    `Unknown aspect corpGroupEditableInfo for entity of ${alice}`,
  ],
];

describe("a mutation that DataHub rejects returns null with DataHub's message and code, and writes nothing", () => {
  const catalog = sharedCatalog(world);
  test.each(refusals)("%s", async (_title, name, args, code, message) => {
    const before = catalog().dump();
    expect(await call(catalog(), name, args)).toMatchObject({
      status: 200,
      data: { done: null },
      errors: [
        {
          message,
          path: ["done"],
          extensions: { code, type: types[code], classification: "DataFetchingException" },
        },
      ],
    });
    expect(catalog().dump()).toEqual(before);
  });
});

describe("a malformed URN is a server error that names it, as in DataHub, and writes nothing", () => {
  const catalog = sharedCatalog(world);
  test.each([
    ["createDomain, parent", "createDomain", { name: "n", parentDomain: "finance" }, "finance"],
    ["createDomain, an id that makes no URN", "createDomain", { id: "(", name: "n" }, "urn:li:domain:("],
    ["createTag, an id that makes no URN", "createTag", { id: "a)", name: "n" }, "urn:li:tag:a)"],
    ["createGroup, an id that makes no URN", "createGroup", { id: "", name: "n" }, "urn:li:corpGroup:"],
    ["deleteDomain", "deleteDomain", { urn: "loans" }, "loans"],
    ["moveDomain", "moveDomain", { resourceUrn: "loans" }, "loans"],
    ["batchSetDomain", "batchSetDomain", { resources: [{ resourceUrn: "orders" }] }, "orders"],
    ["addOwners", "addOwners", { owners: [owner("alice")], resourceUrn: orders }, "alice"],
    ["batchAddTags", "batchAddTags", { tagUrns: ["pii"], resources: [] }, "pii"],
    ["batchRemoveTags", "batchRemoveTags", { tagUrns: [pii], resources: [{ resourceUrn: "x" }] }, "x"],
    ["updateName", "updateName", { urn: "x", name: "n" }, "x"],
    ["updateDescription", "updateDescription", { resourceUrn: "x", description: "d" }, "x"],
    ["addGroupMembers", "addGroupMembers", { groupUrn: "x", userUrns: [] }, "x"],
    ["removeGroupMembers", "removeGroupMembers", { groupUrn: admins, userUrns: ["x"] }, "x"],
    ["updateCorpUserProperties", "updateCorpUserProperties", { urn: "x", i: {} }, "x"],
  ])("%s", async (_title, name, args, urn) => {
    const before = catalog().dump();
    const { errors } = await call(catalog(), name, args);
    expect(errors).toMatchObject([
      {
        message: serverError(`Failed to retrieve entity with urn ${urn}, invalid urn`),
        extensions: { code: 500, type: "SERVER_ERROR" },
      },
    ]);
    expect(catalog().dump()).toEqual(before);
  });
});

describe("a mutation that does not check the type, as in DataHub", () => {
  test.each([
    ["deleteDomain of a tag removes the tag", "deleteDomain", { urn: pii }, pii],
    ["deleteTag of a domain removes the domain", "deleteTag", { urn: loans }, loans],
    ["removeUser of a group removes the group", "removeUser", { urn: stewards }, stewards],
    ["removeGroup of a user removes the user", "removeGroup", { urn: bob }, bob],
  ])("%s", async (_title, name, args, urn) => {
    const catalog = await catalogWith(world);
    expect((await call(catalog, name, args)).data).toEqual({ done: true });
    expect(catalog.dump().filter((row) => row.urn === urn)).toEqual([]);
  });

  test("createDomain accepts any entity as parent, batchSetDomain any as domain", async () => {
    const catalog = await catalogWith(world);
    await call(catalog, "createDomain", { id: "odd", name: "Odd", parentDomain: pii });
    expect(catalog.stored("urn:li:domain:odd", "domainProperties")).toMatchObject({ parentDomain: pii });
    await call(catalog, "batchSetDomain", { domainUrn: pii, resources: [{ resourceUrn: orders }] });
    expect(catalog.stored(orders, "domains")).toMatchObject({ domains: [pii] });
  });
});

describe("without a token each operation is 401, and nothing is written", () => {
  const catalog = sharedCatalog(world, { auth: true });
  const mutations = successes.map(([title, name, args]) => ({ title, ...request(name, args) }));
  const queries = [
    "listDomains(input: {})",
    "listUsers(input: {})",
    "listGroups(input: {})",
    "listOwnershipTypes(input: {})",
    'searchAcrossEntities(input: { query: "*" })',
    'scrollAcrossEntities(input: { query: "*" })',
  ].map((field) => ({ title: field, query: `{ ${field} { total } }`, variables: {} }));
  test.each([...mutations, ...queries])("$title", async ({ query, variables }) => {
    const before = catalog().dump();
    const body = JSON.stringify({ query, variables });
    const { status } = await fetch(`${catalog().url}/api/graphql`, { method: "POST", body });
    expect(status).toBe(401);
    expect(catalog().dump()).toEqual(before);
  });
});

test("each query and mutation in the schema is served, and each mutation is in a table of this test", () => {
  const schema = catalogSchema();
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}),
  );
  expect(fields.filter(({ resolve }) => !resolve).map(({ name }) => name)).toEqual([]);
  const elsewhere = ["setDomain", "unsetDomain", "addOwner", "batchRemoveOwners", "addTags", "removeTag"];
  const here = [...new Set(successes.map(([, name]) => name))];
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...elsewhere, ...here].toSorted()).toEqual(mutations.toSorted());
});
