import { expect, test } from "vitest";
import { type MadeAspect, metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { settingsWith, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const hidden = datasetNamed("zzz");
const gold = "urn:li:tag:gold";
const tagged = { tags: [{ tag: gold }] };
const tags = "kind: Tag\nid: gold\n---\nkind: Tag\nid: kept\n";
const kept = "kind: Tag\nid: kept\n";

/** Prunes a tag of an asset that the token may not view, from a server that fails at some queries. */
async function pruned(more: readonly MadeAspect[], isBroken: (query: string) => boolean) {
  const restrict = new Set<string>();
  const site = await siteWith({ "tags.yaml": tags }, settingsWith("prune: { kinds: [Tag] }"), { restrict });
  expect(await site.apply()).toMatchObject({ code: 0 });
  const aspects: readonly MadeAspect[] = [[hidden, "globalTags", tagged], ...more];
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  restrict.add(hidden);
  site.commit({ "catalog/tags.yaml": kept });
  const fault = { data: null, errors: [{ message: "not now", extensions: { code: 400 } }] };
  const server = await inFrontOf(site.catalog.url, ({ query }) => (isBroken(query) ? fault : undefined));
  const flags = ["--auto-approve", "--prune", "--max-removals", "100%", "--max-deletes", "1"];
  const { code } = await runCli(["apply", ...flags, "--server", server], { cwd: site.root });
  return { code, stored: site.aspect(hidden, "globalTags"), tag: site.aspect(gold, "tagProperties") };
}

const others = Array.from({ length: 505 }, (_, index) => datasetNamed(`d${`${index}`.padStart(3, "0")}`));

const never = (): boolean => false;

test.each<readonly [string, readonly MadeAspect[], (query: string) => boolean]>([
  ["that cannot be searched for", [], (query) => query.includes("searchAcrossEntities")],
  ["that cannot be read", [], (query) => query.includes("ReadShells")],
  ["that is soft-deleted", [[hidden, "status", { removed: true }]], never],
  ["that is named after 500 others", others.map((of): MadeAspect => [of, "globalTags", tagged]), never],
])(
  "nothing is deleted with a referrer %s, and nothing is taken off others for it",
  async (_, more, isBroken) => {
    const { code, stored, tag } = await pruned(more, isBroken);

    expect([code, stored, tag]).toEqual([1, tagged, { name: "gold" }]);
  },
);
