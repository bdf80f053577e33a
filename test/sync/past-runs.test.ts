import { expect, test } from "vitest";
import { isFacetChange } from "../../src/model/change.ts";
import { noEdges } from "../../src/model/membership.ts";
import { placeKey } from "../../src/model/place.ts";
import { scalarOf, type State } from "../../src/model/state.ts";
import type { Urn } from "../../src/model/urn.ts";
import type { Comparison } from "../../src/plan/compare.ts";
import { defaultPolicy, type FightRules, type PastWrite } from "../../src/plan/base/policy.ts";
import { compareWithRuns } from "../../src/sync/past-runs.ts";
import { day, hour, ours, theirs } from "../support/fight-world.ts";
import { datasetNamed, entityOf, liveOf, stateOf } from "../support/states.ts";

const [fought, quiet] = [datasetNamed("fought"), datasetNamed("quiet")];

const inDomain = (domain: string): State =>
  stateOf(...[fought, quiet].map((of) => entityOf("Dataset", of, { domain: scalarOf(domain) })));

/** Writes of our domain to some datasets, one an hour, each against that of another. */
function rulesOf(...datasets: readonly Urn[]): FightRules {
  const times = [1, 2, 3, 4, 5];
  const writes = datasets.flatMap((of) =>
    times.map((hours): PastWrite => ({
      key: `${of} ${placeKey({ facet: "domain" })}`,
      declared: JSON.stringify(ours),
      at: hours * hour,
      base: null,
      reverts: true,
    })),
  );
  return { writes, times: 3, within: day, now: 6 * hour, base: null };
}

async function compared(
  live: string,
  readFights: (() => Promise<FightRules>) | undefined,
): Promise<Comparison> {
  const desired = { state: inDomain(ours), references: [] };
  const catalog = { live: liveOf(inDomain(live)), edges: noEdges, existence: new Map() };
  const read = readFights && (async () => ({ fights: await readFights(), written: new Map() }));
  return await compareWithRuns(desired, catalog, defaultPolicy, read);
}

/** How often each change was written before, where it is held back. */
const timesIn = ({ changes }: Comparison): readonly unknown[] =>
  changes.filter(isFacetChange).map(({ urn, fights }) => [urn, fights?.map(({ times }) => times)]);

test("a change that others undid again and again is held back, and no other", async () => {
  expect(timesIn(await compared(theirs, async () => rulesOf(fought)))).toEqual([
    [fought, [5]],
    [quiet, undefined],
  ]);
});

test("without earlier writes, or where these are not looked at, nothing is held back", async () => {
  const free = [
    [fought, undefined],
    [quiet, undefined],
  ];
  expect(timesIn(await compared(theirs, async () => rulesOf()))).toEqual(free);
  expect(timesIn(await compared(theirs, undefined))).toEqual(free);
});

test("earlier writes are read only where something changes", async () => {
  let reads = 0;
  const read = async (): Promise<FightRules> => {
    reads += 1;
    return rulesOf(fought);
  };
  expect((await compared(ours, read)).changes).toEqual([]);
  expect(reads).toBe(0);
  await compared(theirs, read);
  expect(reads).toBe(1);
});
