import { tagsAspect, tagsOf } from "../assigned.ts";
import { makeDataset } from "../made-assets.ts";
import type { Trial } from "../trial.ts";

const row = "references to what is deleted";

/** What is deleted leaves no references, also where nobody declares them. */
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
    await trying.check(
      row,
      async () => {
        await trying.until("the deletion has taken its references away", async () => {
          return (await tagsOf(stored, theirs)).length === 0;
        });
      },
      pruned,
    );
    trying.goOn(pruned);
    async function isReferredTo(to: string, from: string): Promise<boolean> {
      const path = `/openapi/relationships/v1/?urn=${encodeURIComponent(to)}&direction=INCOMING&relationshipTypes=TaggedWith`;
      const { body } = await stored.ask(path);
      return JSON.stringify(body)?.includes(from) ?? false;
    }
  },
};
