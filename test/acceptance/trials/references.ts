import { tagsAspect, tagsOf } from "../assigned.ts";
import { expectSet } from "../expect-equal.ts";
import { makeDataset, named } from "../made-assets.ts";
import type { Trial } from "../trial.ts";

const row = "references to what is deleted";

/**
 * What is pruned leaves no references, also where nobody declares them, and what is created again at once keeps its new
 * assignments.
 */
export const references: Trial = {
  name: "references",
  tries: [row],
  run: async (trying) => {
    const { stored, id, urn } = trying;
    const theirs = await makeDataset(trying, "theirs");
    const tag = urn("tag", "old");
    urn("tag", "kept");
    const definitions = [
      { kind: "Tag", id: id("old") },
      { kind: "Tag", id: id("kept") },
    ];
    trying.declare({ "tags.yaml": definitions });
    trying.goOn(await trying.apply());
    await stored.propose(theirs, "globalTags", tagsAspect(tag));
    await trying.until("the index shows a reference", async () => await isReferredTo(tag, theirs));
    trying.declare({ "tags.yaml": definitions.slice(1) });
    const pruned = await trying.apply("--prune");
    await trying.check(row, async () => expectSet("tags", await tagsOf(stored, theirs), []), pruned);
    trying.goOn(pruned);
    trying.declare({ "tags.yaml": [...definitions, { ...named(trying, "theirs"), tags: [id("old")] }] });
    const again = await trying.apply();
    await trying.check(
      row,
      async () => {
        await trying.until("the index shows the new reference", async () => await isReferredTo(tag, theirs));
        expectSet("tags", await tagsOf(stored, theirs), [tag]);
      },
      again,
    );
    trying.goOn(again);
    async function isReferredTo(to: string, from: string): Promise<boolean> {
      const path = `/openapi/relationships/v1/?urn=${encodeURIComponent(to)}&direction=INCOMING&relationshipTypes=TaggedWith`;
      const { body } = await stored.ask(path);
      return JSON.stringify(body)?.includes(from) ?? false;
    }
  },
};
