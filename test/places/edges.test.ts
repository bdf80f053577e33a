import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { metadataFile, temporaryDirectory } from "../support/catalog.ts";
import { runCli } from "../support/command-line.ts";
import { type PlanJson, settingsWith, type Site, siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";
import { keptAt, storedForm, testEdges } from "./facets.ts";
import { counted, runsOf } from "../support/runs.ts";

const numRuns = runsOf(4);

const names = ["a", "b", "c"];
const groups = ["d", "e"];

/** Which datasets are in which domains, by one of the sets of edges. */
type Edges = Readonly<Record<string, readonly string[]>>;

/** Edges that are declared from an end, and those that are there. */
interface Drawn {
  readonly facet: string;
  readonly inverse: string;
  readonly want: Edges;
  readonly have: Edges;
  /** The domains that list their datasets, and the datasets that list their domains. */
  readonly listing: readonly string[];
}

const edges: fc.Arbitrary<Edges> = fc.record({ d: fc.subarray(names), e: fc.subarray(names) });

const worlds: fc.Arbitrary<readonly Drawn[]> = fc.tuple(
  ...testEdges.map(([facet, inverse]) =>
    fc.record({
      facet: fc.constant(facet),
      inverse: fc.constant(inverse),
      want: edges,
      have: edges,
      listing: fc.subarray([...groups, ...names]),
    }),
  ),
);

/** What is in a domain after an apply: all that it lists, or what each dataset that lists its domains says of itself. */
function expected({ want, have, listing }: Drawn, group: string): readonly string[] {
  const declares = (name: string): boolean =>
    listing.includes(name) || (listing.includes(group) && want[group]?.includes(name) === true);
  return names.filter((name) =>
    listing.includes(group) || declares(name) ? want[group]?.includes(name) : have[group]?.includes(name),
  );
}

function manifestsOf(world: readonly Drawn[]): Readonly<Record<string, string>> {
  const domains = groups.map((id) => ({ kind: "Domain", id, ...listsOf(world, "facet", id) }));
  const datasets = names.map((name) => ({
    kind: "Dataset",
    platform: "snowflake",
    name,
    ...listsOf(world, "inverse", name),
  }));
  return { "all.yaml": [...domains, ...datasets].map((each) => `${JSON.stringify(each)}\n`).join("---\n") };
}

function listsOf(world: readonly Drawn[], end: "facet" | "inverse", id: string): Record<string, Json> {
  const own = world.filter(({ listing }) => listing.includes(id));
  return Object.fromEntries(
    own.map(({ want, ...each }) => [
      each[end],
      end === "facet"
        ? (want[id] ?? []).map(datasetNamed)
        : groups.filter((group) => want[group]?.includes(id)),
    ]),
  );
}

async function siteOf(world: readonly Drawn[], ...settings: readonly string[]): Promise<Site> {
  const site = await siteWith(
    manifestsOf(world),
    settingsWith("guards: { removals: { max_percent: 100 } }", ...settings),
  );
  const file = metadataFile(temporaryDirectory(), [
    ...names.map((name) => [datasetNamed(name), "status", { removed: false }] as const),
    ...groups.flatMap((id) => [
      [`urn:li:domain:${id}`, "domainProperties", { name: id }] as const,
      [
        `urn:li:domain:${id}`,
        "institutionalMemory",
        {
          elements: world.flatMap(({ facet, have }) =>
            storedForm(facet, [], (have[id] ?? []).map(datasetNamed)),
          ),
        },
      ] as const,
    ]),
  ]);
  await site.catalog.load(file);
  site.git("update-ref", "refs/datahub-gitops/applied", "HEAD");
  return site;
}

function stored(site: Site, { facet }: Drawn, id: string): unknown {
  return keptAt(site.aspect(`urn:li:domain:${id}`, "institutionalMemory") as Json, facet, []);
}

function always(holds: (world: readonly Drawn[]) => Promise<void>): () => Promise<void> {
  return async () => {
    await fc.assert(fc.asyncProperty(worlds, holds), { numRuns, endOnFailure: true });
  };
}

test(
  "of two sets of edges that groups store each is as either end declares it, and nothing is left to do",
  counted,
  always(async (world) => {
    const site = await siteOf(world);
    const ran = await site.apply();
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    for (const each of world)
      for (const group of groups)
        expect(stored(site, each, group)).toEqual(expected(each, group).map(datasetNamed));
    expect((await site.planned()).changes).toEqual([]);
  }),
);

test(
  "a plan of a part has of the edges those of its groups, and those that its members declare",
  counted,
  always(async (world) => {
    const site = await siteOf(world);
    const { changes } = await site.planned();
    for (const target of [datasetNamed("a"), "urn:li:domain:d"]) {
      const part = await site.planned("--target", target);
      expect(part.problems).toBeUndefined();
      const own = changes.flatMap((change) => partOf(world, change, target));
      expect(part.changes.map(elementsOf)).toEqual(own.map(elementsOf));
    }
  }),
);

test(
  "plans against a snapshot and of an export, and a pull, know edges from either end",
  counted,
  always(async (world) => {
    const site = await siteOf(world);
    const { changes, problems } = await site.planned();
    await site.run(["export", "--snapshot", "live.json"]);
    const { stdout } = await runCli(["plan", "--snapshot", "live.json", "--format", "json"], {
      cwd: site.root,
    });
    const offline = JSON.parse(stdout) as PlanJson;
    expect([offline.changes, offline.problems]).toEqual([changes, problems]);
    const exported = await site.run(["export", "exported"]);
    expect(exported.code, exported.stderr).toBe(0);
    const plan = await site.run(["plan", "exported", "--detailed-exitcode"]);
    expect(plan.code, plan.stdout + plan.stderr).toBe(0);
    const pulled = await site.run(["pull"]);
    expect(pulled.code, pulled.stdout + pulled.stderr).toBe(0);
    expect((await site.planned()).changes).toEqual([]);
  }),
);

type Change = Readonly<Record<string, unknown>>;

/** What of a change is in a part: all of a group that is selected, else what a selected member declares. */
function partOf(world: readonly Drawn[], change: Change, target: string): readonly Change[] {
  if (change["urn"] === target) return [change];
  const { listing = [] } = world.find(({ facet }) => facet === change["facet"]) ?? {};
  if (!listing.includes("a") || target !== datasetNamed("a")) return [];
  const own = (list: unknown): readonly unknown[] =>
    Array.isArray(list) ? list.filter((each) => each === target) : [];
  const [add, remove] = [own(change["add"]), own(change["remove"])];
  return add.length + remove.length === 0 ? [] : [{ ...change, add, remove }];
}

function elementsOf({ urn, facet, add, remove }: Change): Change {
  return { urn, facet, add, remove };
}
