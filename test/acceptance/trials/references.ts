import { tagsAspect, tagsOf } from "../assigned.ts";
import { expectSet } from "../expect-equal.ts";
import { makeDataset, named } from "../made-assets.ts";
import type { Trial } from "../trial.ts";

const row = "references to what is deleted";
const away = "references of soft-deleted assets to what is deleted";

/**
 * What is pruned leaves no references, also where nobody declares them and on soft-deleted assets, and what is created again at once
 * keeps its new assignments.
 */
export const references: Trial = {
  name: "references",
  tries: [row, away],
  run: async (trying) => {
    const { stored, id, urn } = trying;
    const theirs = await makeDataset(trying, "theirs");
    const removed = await makeDataset(trying, "removed");
    const [old, older] = [urn("tag", "old"), urn("tag", "older")];
    urn("tag", "kept");
    const [kept, ...pruned] = ["kept", "old", "older"].map((name) => ({ kind: "Tag", id: id(name) }));
    const always = kept ? [kept] : [];
    trying.declare({ "tags.yaml": [...always, ...pruned] });
    trying.goOn(await trying.apply());
    for (const of of [theirs, removed]) await stored.propose(of, "globalTags", tagsAspect(old, older));
    await trying.until("the index shows references", async () => {
      const shown = [old, older].flatMap((tag) => [theirs, removed].map((of) => isReferredTo(tag, of)));
      return (await Promise.all(shown)).every(Boolean);
    });
    await stored.propose(removed, "status", { removed: true });
    trying.declare({ "tags.yaml": always });
    const applied = await trying.apply("--prune");
    await trying.check(row, async () => expectSet("tags", await tagsOf(stored, theirs), []), applied);
    await trying.check(away, async () => expectSet("tags", await tagsOf(stored, removed), []), applied);
    trying.goOn(applied);
    const again = [...always, ...pruned.slice(0, 1), { ...named(trying, "theirs"), tags: [id("old")] }];
    trying.declare({ "tags.yaml": again });
    const reassigned = await trying.apply();
    await trying.check(
      row,
      async () => {
        await trying.until("the index shows the new reference", async () => await isReferredTo(old, theirs));
        expectSet("tags", await tagsOf(stored, theirs), [old]);
      },
      reassigned,
    );
    trying.goOn(reassigned);
    async function isReferredTo(to: string, from: string): Promise<boolean> {
      const path = `/openapi/relationships/v1/?urn=${encodeURIComponent(to)}&direction=INCOMING&relationshipTypes=TaggedWith`;
      const { body } = await stored.ask(path);
      return JSON.stringify(body)?.includes(from) ?? false;
    }
  },
};
