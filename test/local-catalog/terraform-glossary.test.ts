import { expect, test } from "vitest";
import { call } from "./rest.ts";
import { catalogWith, finance, shop, type TestCatalog } from "./support.ts";

// What the resources of datahub-project/terraform-provider-datahub 0.24.0 send, in that order
// (internal/provider/pkg/datahub/glossary.go, glossary_related_terms.go, entity_mutations.go, connections_list.go).

const kinds = [
  { resource: "datahub_glossary_node", name: "Node", type: "glossarynode", more: {} },
  {
    resource: "datahub_glossary_term",
    name: "Term",
    type: "glossaryterm",
    more: { termSource: "INTERNAL" },
  },
] as const;

/** Sends a mutation of one input as the provider writes it. Returns the answer, or the message of its first error. */
async function mutate(
  catalog: TestCatalog,
  name: string,
  inputType: string,
  input: object,
): Promise<unknown> {
  const { data, errors } = await catalog.send(
    `\nmutation ${name}($input: ${inputType}!) {\n  ${name}(input: $input)\n}`,
    { input },
  );
  return errors?.[0]?.message ?? data?.[name];
}

const createEntity = (catalog: TestCatalog, name: string, input: object): Promise<unknown> =>
  mutate(catalog, `createGlossary${name}`, "CreateGlossaryEntityInput", input);

async function deleteEntity(catalog: TestCatalog, urn: string): Promise<unknown> {
  const query = "\nmutation deleteGlossaryEntity($urn: String!) {\n  deleteGlossaryEntity(urn: $urn)\n}";
  return (await catalog.send(query, { urn })).data;
}

test.each(kinds)("$resource: create, read, update, delete", async ({ name, type, more }) => {
  const catalog = await catalogWith(shop);
  const urn = `urn:li:glossary${name}:sales`;
  const info = `glossary${name}Info`;
  const read = async () => {
    const { status, body } = await call(catalog, "GET", `/openapi/v3/entity/${type}/${urn}`);
    return {
      status,
      key: body?.[`glossary${name}Key`]?.value,
      info: body?.[info]?.value,
      domains: body?.domains?.value.domains,
    };
  };
  const put = (value: object) =>
    call(catalog, "POST", `/openapi/v3/entity/${type}?async=false`, [
      { urn, [info]: { value: { ...value, ...more } } },
    ]);

  expect(await read()).toMatchObject({ status: 404 });
  await createEntity(catalog, "Node", { id: "top", name: "Top" });
  const input = {
    id: "sales",
    name: "Sales",
    description: "All of it.",
    parentNode: "urn:li:glossaryNode:top",
  };
  expect(await createEntity(catalog, name, input)).toBe(urn);
  expect(
    (
      await catalog.send(
        "\nmutation setDomain($entityUrn: String!, $domainUrn: String!) {\n  setDomain(entityUrn: $entityUrn, domainUrn: $domainUrn)\n}",
        { entityUrn: urn, domainUrn: finance },
      )
    ).data,
  ).toEqual({ setDomain: true });
  const properties = { name: "Sales", definition: "All of it.", parentNode: "urn:li:glossaryNode:top" };
  expect(await put({ ...properties, customProperties: { team: "a" } })).toMatchObject({ status: 200 });
  expect(await read()).toEqual({
    status: 200,
    key: { name: "sales" },
    info: { ...properties, ...more, customProperties: { team: "a" } },
    domains: [finance],
  });

  const updates = [
    ["updateName", "UpdateNameInput", { urn, name: "Sold" }],
    ["updateDescription", "DescriptionUpdateInput", { resourceUrn: urn, description: "" }],
    ["updateParentNode", "UpdateParentNodeInput", { resourceUrn: urn, parentNode: null }],
  ] as const;
  for (const [mutation, inputType, args] of updates)
    expect([mutation, await mutate(catalog, mutation, inputType, args)]).toEqual([mutation, true]);
  await catalog.send(
    "\nmutation unsetDomain($entityUrn: String!) {\n  unsetDomain(entityUrn: $entityUrn)\n}",
    { entityUrn: urn },
  );
  expect(await read()).toEqual({
    status: 200,
    key: { name: "sales" },
    info: { name: "Sold", definition: "", ...more, customProperties: { team: "a" } },
    domains: [],
  });
  await put({ name: "Sold", definition: "", customProperties: {} });
  expect((await read()).info).toEqual({ name: "Sold", definition: "", ...more, customProperties: {} });

  expect(await deleteEntity(catalog, urn)).toEqual({ deleteGlossaryEntity: true });
  expect(await read()).toMatchObject({ status: 404 });
});

test.each(kinds)(
  "$resource: an entity that has its key alone can be recognized, deleted and created again",
  async ({ name, type }) => {
    const catalog = await catalogWith();
    const urn = `urn:li:glossary${name}:sales`;
    // Only the key and no values of properties: the provider deletes it and creates it again.
    await call(catalog, "POST", `/openapi/v3/entity/${type}?async=false`, [
      { urn, structuredProperties: { value: { properties: [] } } },
    ]);
    const input = { id: "sales", name: "Sales" };
    expect(await createEntity(catalog, name, input)).toBe(`This Glossary ${name} already exists!`);
    const { body } = await call(catalog, "GET", `/openapi/v3/entity/${type}/${urn}`);
    expect(Object.keys(body).toSorted()).toEqual([`glossary${name}Key`, "structuredProperties", "urn"]);
    await deleteEntity(catalog, urn);
    expect(await createEntity(catalog, name, input)).toBe(urn);
  },
);

test("datahub_glossary_term_relationship: create, read, delete", async () => {
  const catalog = await catalogWith();
  const [urn, other] = ["urn:li:glossaryTerm:a", "urn:li:glossaryTerm:b"];
  const relate = (verb: string, relationshipType: string) =>
    mutate(catalog, `${verb}RelatedTerms`, "RelatedTermsInput", {
      urn,
      termUrns: [other],
      relationshipType,
    });
  const read = async (): Promise<unknown> =>
    (await call(catalog, "GET", `/openapi/v3/entity/glossaryterm/${urn}`)).body.glossaryRelatedTerms?.value;
  await createEntity(catalog, "Term", { id: "a", name: "A" });
  expect(await relate("add", "isA")).toBe(`Failed to update ${urn}. ${other} does not exist.`);
  await createEntity(catalog, "Term", { id: "b", name: "B" });
  expect(await read()).toBeUndefined();
  expect(await relate("remove", "isA")).toContain("Related Terms for this Urn do not exist");
  for (const type of ["isA", "hasA", "isA"]) expect(await relate("add", type)).toBe(true);
  expect(await read()).toEqual({ isRelatedTerms: [other], hasRelatedTerms: [other] });
  expect(await relate("remove", "hasA")).toBe(true);
  expect(await read()).toEqual({ isRelatedTerms: [other], hasRelatedTerms: [] });
});

test.each(kinds)("data source of all: the URNs of $type, by pages", async ({ name }) => {
  const catalog = await catalogWith();
  const made = await Promise.all(
    ["a", "b", "c"].map((id) => createEntity(catalog, name, { id, name: id.toUpperCase() })),
  );
  const query = `\nquery searchAcrossEntities($input: SearchAcrossEntitiesInput!) {
  searchAcrossEntities(input: $input) {\n    total\n    searchResults {\n      entity {\n        urn\n      }\n    }\n  }\n}`;
  const page = async (start: number): Promise<unknown> => {
    const input = { types: [`GLOSSARY_${name.toUpperCase()}`], query: "*", start, count: 2 };
    return (await catalog.send(query, { input })).data;
  };
  const results = (...urns: readonly unknown[]) => ({
    searchAcrossEntities: { total: 3, searchResults: urns.map((urn) => ({ entity: { urn } })) },
  });
  expect([await page(0), await page(2)]).toEqual([results(made[0], made[1]), results(made[2])]);
});
