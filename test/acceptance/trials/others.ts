import { kindOf } from "../../../src/kinds/index.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { tagsOf } from "../assigned.ts";
import { expectEqual, expectSet, expectThat } from "../expect-equal.ts";
import { makeDataset, named } from "../made-assets.ts";
import type { Trial, Trying } from "../trial.ts";

const refused = "a refused operation among others";
const raced = "a second writer";

/** What the server refuses of an apply fails alone, and a second writer loses nothing. */
export const others: Trial = {
  name: "others",
  tries: [refused, raced],
  run: async (trying) => {
    await refusal(trying);
    await secondWriter(trying);
  },
};

const datasets = Array.from({ length: 12 }, (_, index) => `d${index}`);

/** Only the server knows that a value of the dataset in the middle may not change. */
async function refusal(trying: Trying): Promise<void> {
  const { id, urn, stored } = trying;
  const property = urn("structuredProperty", "fixed");
  const fixed = datasets[5] ?? "";
  const urns = new Map<string, string>();
  for (const name of datasets) urns.set(name, await makeDataset(trying, name));
  await stored.propose(property, "propertyDefinition", {
    qualifiedName: id("fixed"),
    valueType: "urn:li:dataType:datahub.string",
    entityTypes: ["urn:li:entityType:datahub.dataset"],
    immutable: true,
  });
  await stored.propose(urns.get(fixed) ?? "", "structuredProperties", {
    properties: [{ propertyUrn: property, values: [{ string: "before" }] }],
  });
  const declared = datasets.map((name) => ({
    ...named(trying, name),
    description: `Text of ${name}`,
    structured_properties: { [id("fixed")]: "after" },
  }));
  trying.declare({ "assets.yaml": declared });
  const applied = await trying.apply();
  await trying.check(
    refused,
    async () => {
      expectEqual("the exit code", applied.code, 7);
      const failed = applied.outcomes.filter(({ status }) => status !== "applied");
      expectEqual(
        "what is not applied",
        failed.map(({ urn: of }) => of),
        [urns.get(fixed) ?? ""],
      );
      expectThat(`the reason is in ${failed[0]?.error}`, /immutable/.test(failed[0]?.error ?? ""));
      for (const [name, of] of urns) {
        const { structuredProperties: found } = await stored.aspects(of);
        const text = JSON.stringify(found);
        expectThat(`${name} has ${text}`, text.includes(name === fixed ? "before" : "after"));
      }
    },
    applied,
  );
}

/** Others add tags to the same assets while an apply runs: all of both is there. */
async function secondWriter(trying: Trying): Promise<void> {
  const { id, urn, urnOf, stored } = trying;
  const dataset = kindOf("Dataset");
  const [ours, theirs] = [urn("tag", "ours"), urn("tag", "theirs")];
  const tags = ["ours", "theirs"].map((name) => ({ kind: "Tag", id: id(name) }));
  trying.settings({ writes: "conditional", manage: "merge" });
  trying.declare({ "assets.yaml": undefined, "tags.yaml": tags });
  trying.goOn(await trying.apply());
  trying.declare({
    "assets.yaml": datasets.map((name): JsonObject => ({ ...named(trying, name), tags: [id("ours")] })),
  });
  const urns = datasets.map((name) => urnOf(dataset, name));
  const tagAll = async (): Promise<void> => {
    for (const of of urns)
      await stored.patch(of, "globalTags", [{ op: "add", path: `/tags/${theirs}`, value: { tag: theirs } }]);
  };
  const [applied] = await Promise.all([trying.apply(), tagAll()]);
  await trying.check(
    raced,
    async () => {
      for (const of of urns) expectSet(`tags of ${of}`, await tagsOf(stored, of), [ours, theirs]);
    },
    applied,
  );
  trying.goOn(applied);
}
