import { type Mode, modes } from "../../../src/model/settings.ts";
import { domainsOf, tagsAspect, tagsOf } from "../assigned.ts";
import { expectEqual, expectSet } from "../expect-equal.ts";
import { makeDataset, named } from "../made-assets.ts";
import type { Trial, Trying } from "../trial.ts";

/** Of the tags a and b that Git declared, of which it takes b back, and of c, which somebody added: what stays. */
const kept: Readonly<Record<Mode, readonly string[]>> = {
  additive: ["a", "b", "c"],
  merge: ["a", "c"],
  authoritative: ["a"],
};

/** Where Git declares a domain and somebody sets another: which one is there after an apply. */
const domain: Readonly<Record<Mode, "ours" | "theirs">> = {
  additive: "theirs",
  merge: "theirs",
  authoritative: "ours",
};

const conflict = "conflict, --skip-conflicts and --force-conflicts";

/** What each mode does with what others put there and with what Git takes back. */
export const modesTrial: Trial = {
  name: "modes",
  tries: [...modes.map((mode) => `mode ${mode}`), conflict],
  run: async (trying) => {
    const { stored, urn } = trying;
    const datasets = new Map<Mode, string>();
    for (const mode of modes) datasets.set(mode, await makeDataset(trying, mode));
    declare(trying, ["a", "b"]);
    trying.goOn(await trying.apply());
    for (const dataset of datasets.values()) {
      await stored.propose(
        dataset,
        "globalTags",
        tagsAspect(...["a", "b", "c"].map((tag) => urn("tag", tag))),
      );
      await stored.propose(dataset, "domains", { domains: [urn("domain", "theirs")] });
    }
    declare(trying, ["a"]);
    const applied = await trying.apply();
    for (const [mode, dataset] of datasets) {
      await trying.check(
        `mode ${mode}`,
        async () => {
          const tags = kept[mode].map((tag) => urn("tag", tag));
          expectSet(`tags under ${mode}`, await tagsOf(stored, dataset), tags);
          const domains = [urn("domain", domain[mode])];
          expectSet(`domain under ${mode}`, await domainsOf(stored, dataset), domains);
        },
        applied,
      );
    }
    const merged = datasets.get("merge") ?? "";
    await trying.check(conflict, async () => {
      expectEqual("exit code of an apply that holds a conflict back", applied.code, 6);
      await trying.run(["plan", "--skip-conflicts"]);
      await trying.run(["apply", "--auto-approve", "--force-conflicts"]);
      expectSet("domain", await domainsOf(stored, merged), [urn("domain", "ours")]);
    });
  },
};

function declare(trying: Trying, tags: readonly string[]): void {
  const { id, urn } = trying;
  trying.declare({
    "definitions.yaml": [
      ...["a", "b", "c"].map((tag) => {
        urn("tag", tag);
        return { kind: "Tag", id: id(tag) };
      }),
      ...["ours", "theirs"].map((name) => {
        urn("domain", name);
        return { kind: "Domain", id: id(name) };
      }),
    ],
    "datasets.yaml": modes.map((mode) => ({
      ...named(trying, mode),
      manage: { tags: mode, domain: mode },
      tags: tags.map((tag) => id(tag)),
      domain: id("ours"),
    })),
  });
}
