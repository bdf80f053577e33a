import { domainsOf, tagsOf } from "../assigned.ts";
import { indexedWith } from "../clean-up.ts";
import { expectSet } from "../expect-equal.ts";
import { makeDataset } from "../made-assets.ts";
import type { Trial } from "../trial.ts";

const scroll = "query scrollAcrossEntities";

/** A rule declares the same of every asset that it matches. */
export const rules: Trial = {
  name: "rules",
  tries: ["rules", scroll],
  run: async (trying) => {
    const { stored, id, urn } = trying;
    const names = ["events.a", "events.b", "events.c"];
    await trying.check(scroll, async () => {
      expectSet("datasets before any is made", await indexedWith(stored, id("")), []);
    });
    const matched: string[] = [];
    for (const name of names) matched.push(await makeDataset(trying, name));
    const other = await makeDataset(trying, "other");
    const all = [...matched, other];
    await trying.check(scroll, async () => {
      await trying.until("the index shows exactly the datasets that were made", async () => {
        const found = await indexedWith(stored, id(""));
        return found.length === all.length && all.every((each) => found.includes(each));
      });
    });
    trying.declare({
      "rules.yaml": [
        { kind: "Tag", id: id("event") },
        { kind: "Domain", id: id("events") },
        {
          kind: "Rule",
          id: "events",
          match: { kind: "Dataset", platform: "file", name: id("events.*") },
          declare: { domain: id("events"), columns: { "*mail*": { tags: [id("event")] } } },
        },
      ],
    });
    const [tag, domain] = [urn("tag", "event"), urn("domain", "events")];
    const applied = await trying.apply();
    const check = async (): Promise<void> => {
      for (const dataset of matched) {
        expectSet(`domain of ${dataset}`, await domainsOf(stored, dataset), [domain]);
        expectSet(`tags of its column`, await tagsOf(stored, dataset, "email"), [tag]);
      }
      expectSet("domain of what does not match", await domainsOf(stored, other), []);
    };
    await trying.check("rules", check, applied);
    await trying.check(scroll, check);
    trying.goOn(applied);
  },
};
