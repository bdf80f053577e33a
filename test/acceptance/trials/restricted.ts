import { kindOf, kindOfType } from "../../../src/kinds/index.ts";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { entityTypeOf, isUrn } from "../../../src/model/urn.ts";
import { tagsOf } from "../assigned.ts";
import { expectEqual, expectSet, expectThat } from "../expect-equal.ts";
import { makeDataset, named } from "../made-assets.ts";
import { NotAvailable, type Trial, type Trying } from "../trial.ts";

const ways = ["graphql", "openapi"] as const;

const rows = {
  plan: (reads: string) => `plan and apply of what the token may not view, reads: ${reads}`,
  list: "list and check of what the token may not view",
  export: "export of what the token may not view",
} as const;

/** An asset that the token may not view is a problem, is never written, and never counts as one without values. */
export const restricted: Trial = {
  name: "restricted",
  tries: [...ways.map(rows.plan), rows.list, rows.export],
  run: async (trying) => {
    const { hidden } = trying;
    if (hidden === undefined || !isUrn(hidden)) return await notAvailable(trying);
    const kind = kindOfType(entityTypeOf(hidden)) ?? kindOf("Dataset");
    const shown = await makeDataset(trying, "shown");
    const before = await rawAspects(trying, hidden);
    const declared = { description: "Ours", tags: [trying.id("ours")], owners: [] };
    trying.declare({
      "tags.yaml": [{ kind: "Tag", id: trying.id("ours") }],
      "assets.yaml": [
        { kind: kind.name, ...kind.identityOf(hidden), ...declared },
        { ...named(trying, "shown"), tags: [trying.id("ours")] },
      ],
    });
    trying.urn("tag", "ours");
    for (const reads of ways) {
      trying.settings({ reads });
      await trying.check(rows.plan(reads), async () => {
        await expectProblem(trying, hidden);
        const applied = await trying.apply();
        expectEqual("the exit code of apply", applied.code, 1);
        const written = applied.outcomes.filter(({ urn }) => urn === hidden);
        expectEqual("what was sent for it", written.length, 0);
        expectSet("tags of an asset beside it", await tagsOf(trying.stored, shown), [
          trying.urn("tag", "ours"),
        ]);
        expectEqual("its aspects", await rawAspects(trying, hidden), before);
      });
    }
    trying.settings({});
    await trying.check(rows.list, async () => {
      const { entities } = await trying.json(
        ["list", "--kind", kind.name, "--missing", "owners", "--format", "json"],
        0,
        1,
      );
      const listed = (isJsonList(entities) ? entities : []).filter(isJsonObject).map(({ urn }) => urn);
      expectThat("it is not listed as one without owners", !listed.includes(hidden));
      expectThat("the list has the asset beside it", listed.length > 0);
    });
    await trying.check(rows.export, async () => {
      const { stdout, stderr } = await trying.run(["export", "exported", "--kind", kind.name], 0, 1, 6);
      expectThat(
        `export says that it may not view an entity: ${stderr}`,
        /may not view/.test(stdout + stderr),
      );
    });
  },
};

async function notAvailable({ check }: Trying): Promise<void> {
  for (const row of restricted.tries)
    await check(row, async () => {
      throw new NotAvailable("no asset is named that the token may not view (ACCEPTANCE_RESTRICTED)");
    });
}

async function expectProblem(trying: Trying, hidden: string): Promise<void> {
  const plan = await trying.json(["plan", "--format", "json"], 1);
  const list = (key: string): readonly JsonObject[] =>
    (isJsonList(plan[key]) ? plan[key] : []).filter(isJsonObject);
  const problems = list("problems").filter(({ code }) => code === "restricted");
  expectThat(`the problem names it: ${JSON.stringify(problems)}`, JSON.stringify(problems).includes(hidden));
  expectThat("nothing of it is planned", !list("changes").some(({ urn }) => urn === hidden));
}

const document = `query Hidden($urns: [String!]!) { entities(urns: $urns) { ... on Dataset {
  aspects(input: { aspectNames: ["ownership", "globalTags", "editableDatasetProperties"] }) { aspectName payload } } } }`;

// Raw aspects are not hidden.
async function rawAspects({ stored }: Trying, urn: string): Promise<Json> {
  const { entities = null } = await stored.graphql(document, { urns: [urn] });
  return entities;
}
