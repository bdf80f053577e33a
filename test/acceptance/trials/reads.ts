import { kindOf } from "../../../src/kinds/index.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import { tagsAspect } from "../assigned.ts";
import { expectEqual, expectThat } from "../expect-equal.ts";
import { makeDataset } from "../made-assets.ts";
import { NotAvailable, type Trial, type Trying } from "../trial.ts";
import { releaseOf } from "../stored-catalog.ts";

const entities = `query ReadBoth($urns: [String!]!) {
  entities(urns: $urns) { urn ... on Dataset { tags { tags { tag { urn } } } } }
}`;
const exists =
  "query ReadExistence($made: String!, $unmade: String!) { made: entityExists(urn: $made) unmade: entityExists(urn: $unmade) }";
const search = `query Search($input: SearchAcrossEntitiesInput!) {
  searchAcrossEntities(input: $input) { searchResults { entity { urn } } }
}`;
const me = "query ReadActor { me { corpUser { urn } } }";
const privileges = `query ReadPrivileges($actor: String!, $resource: ResourceSpec!) {
  getGrantedPrivileges(input: { actorUrn: $actor, resourceSpec: $resource }) { privileges }
}`;
const type = 'query ProbeType { __type(name: "Dataset") { fields { name } } }';

/** What each read answers of what was written, before and after it is written again. */
export const reads: Trial = {
  name: "reads",
  tries: [
    ...["entities", "entityExists", "searchAcrossEntities", "me", "getGrantedPrivileges", "__type"].map(
      (field) => `query ${field}`,
    ),
    "GET /config",
    "GET /entitiesV2",
    "POST batchGet",
  ],
  run: async (trying) => {
    const { stored, urn } = trying;
    await checkSearch([], trying);
    await checkExistence(false, trying);
    const both = [await makeDataset(trying, "first"), await makeDataset(trying, "second")];
    const [first = ""] = both;
    const tag = urn("tag", "a");
    await stored.propose(tag, "tagProperties", { name: "a" });
    for (const tags of [[], [tag]]) {
      for (const dataset of both) await stored.propose(dataset, "globalTags", tagsAspect(...tags));
      await checkStored(both, tags, trying);
    }
    await checkExistence(true, trying);
    await trying.check("GET /config", async () => void (await releaseOf(stored)));
    await checkSearch(both, trying);
    await checkActor(first, trying);
    await trying.check("query __type", async () => {
      const { __type: found } = await stored.graphql(type, {});
      const fields = isJsonObject(found) ? found["fields"] : undefined;
      expectThat(
        "introspection names the fields of a type",
        JSON.stringify(fields)?.includes('"tags"') ?? false,
      );
    });
  },
};

/** The tags of two datasets, by three ways to read them. */
async function checkStored(both: readonly string[], tags: readonly string[], trying: Trying): Promise<void> {
  const { stored } = trying;
  const expected = tags.map((tag) => ({ tag }));
  await trying.check("query entities", async () => {
    const { entities: found } = await stored.graphql(entities, { urns: [...both] });
    const own = tags.map((tag) => ({ tag: { urn: tag } }));
    expectEqual(
      "entities",
      found,
      both.map((urn) => ({ urn, tags: { tags: own } })),
    );
  });
  await trying.check("GET /entitiesV2", async () => {
    for (const urn of both) {
      const path = `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(globalTags)`;
      const { body } = await stored.ask(path);
      const found = isJsonObject(body) ? body : {};
      expectEqual("the entity that was asked for", found["urn"], urn);
      expectEqual("its tags", at(found, "aspects", "globalTags", "value", "tags"), expected);
    }
  });
  await trying.check("POST batchGet", async () => {
    const path = "/openapi/v3/entity/dataset/batchGet?systemMetadata=true";
    const { status, body } = await stored.ask(
      path,
      both.map((urn) => ({ urn, globalTags: {} })),
    );
    if (status === 404 || status === 405) throw new NotAvailable("before 0.14 there is no batchGet");
    const list = Array.isArray(body) ? body.filter(isJsonObject) : [];
    for (const urn of both) {
      const own = list.find((each) => each["urn"] === urn) ?? {};
      expectEqual(`tags of ${urn}`, at(own, "globalTags", "value", "tags"), expected);
      const version = at(own, "globalTags", "systemMetadata", "version");
      expectEqual("its version", version, tags.length === 0 ? "1" : "2");
    }
  });
}

async function checkExistence(isMade: boolean, { stored, check, urn, urnOf }: Trying): Promise<void> {
  await check("query entityExists", async () => {
    const found = await stored.graphql(exists, {
      made: urnOf(kindOf("Dataset"), "first"),
      unmade: urn("tag", "never-made"),
    });
    expectEqual("what exists", found, { made: isMade, unmade: false });
  });
}

function at(value: JsonObject, ...keys: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of keys) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}

/** All are found by what an apply searches for what was misspelt: a part of the URN. */
async function checkSearch(made: readonly string[], trying: Trying): Promise<void> {
  const { stored, id } = trying;
  const filter = { field: "urn", condition: "CONTAIN", values: [id("").toLowerCase()] };
  const orFilters = [{ and: [filter] }];
  await trying.check("query searchAcrossEntities", async () => {
    await trying.until("the search finds the datasets that were made, and nothing else", async () => {
      const input = { types: ["DATASET"], query: "*", start: 0, count: 10, orFilters };
      const { searchAcrossEntities: page } = await stored.graphql(search, { input });
      const found = JSON.stringify(page);
      return (
        (found.match(/urn:li:dataset:/g) ?? []).length === made.length &&
        made.every((urn) => found.includes(urn))
      );
    });
  });
}

/** The user of the token is who wrote, and has privileges. */
async function checkActor(dataset: string, trying: Trying): Promise<void> {
  const { stored } = trying;
  let actor = "";
  await trying.check("query me", async () => {
    const answer = await stored.graphql(me, {});
    actor = textOf(at(answer, "me", "corpUser", "urn"));
    const { body } = await stored.ask(`/entitiesV2/${encodeURIComponent(dataset)}?aspects=List(globalTags)`);
    const writer = isJsonObject(body) ? at(body, "aspects", "globalTags", "created", "actor") : undefined;
    expectEqual("the user of the token", actor, writer ?? "unknown");
  });
  await trying.check("query getGrantedPrivileges", async () => {
    const resource = { resourceType: "DATASET", resourceUrn: dataset };
    const answer = await stored.graphql(privileges, { actor, resource });
    const granted = at(answer, "getGrantedPrivileges", "privileges");
    expectThat("the privileges are a list", Array.isArray(granted));
  });
}
