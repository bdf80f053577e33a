import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { datasetNamed } from "../support/states.ts";
import {
  expectNothingElse,
  expectTrue,
  type Held,
  heldIn,
  names,
  outcomesOf,
  seeds,
  type Storm,
  stormOf,
} from "./world.ts";

/** The tags of another client. */
const mine = Array.from({ length: 12 }, (_, index) => `urn:li:tag:mine${index}`);

/** A tag that the server says a dataset has. */
interface Confirmed {
  readonly urn: string;
  readonly tag: string;
}

/** Gives a dataset one tag after the other, as another client does. */
async function edit({ catalog }: Storm, urn: string): Promise<readonly Confirmed[]> {
  const confirmed: Confirmed[] = [];
  for (const tag of mine) {
    const query = `mutation { addTags(input: { tagUrns: ["${tag}"], resourceUrn: "${urn}" }) }`;
    const headers = { "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify({ query }) };
    // Whoever's connection breaks was told nothing.
    const answer = await fetch(`${catalog.url}/api/graphql`, sent).then(
      (response) => response.json(),
      () => ({}),
    );
    const { data } = answer as { readonly data?: { readonly addTags?: boolean } };
    if (data?.addTags === true) confirmed.push({ urn, tag });
  }
  return confirmed;
}

/** Every third dataset. */
const edited = names.filter((_, index) => index % 3 === 0).map(datasetNamed);

/**
 * Applies while another client edits a third of the datasets, each as soon as something is sent for it. Late are those that it
 * still edits when they are read for the last time.
 */
async function applyBeside(storm: Storm) {
  const left = new Set<string>(edited);
  const edits: Promise<readonly Confirmed[]>[] = [];
  const going = new Set<string>();
  const late = new Map<string, boolean>();
  let seen = 0;
  const watch = setInterval(() => {
    for (const { body } of storm.catalog.requests.slice(seen)) {
      const text = JSON.stringify(body ?? "");
      if (text.includes("mutation { addTags")) continue;
      for (const urn of edited.filter((each) => text.includes(each))) late.set(urn, going.has(urn));
      if (!/"query":"mutation Apply|"proposal"/.test(text)) continue;
      for (const urn of [...left].filter((each) => text.includes(each))) {
        left.delete(urn);
        going.add(urn);
        edits.push(edit(storm, urn).finally(() => going.delete(urn)));
      }
    }
    seen = storm.catalog.requests.length;
  }, 1);
  const ran = await storm.apply();
  clearInterval(watch);
  const isLate = (urn: string): boolean => late.get(urn) === true;
  return { ran, isLate, confirmed: (await Promise.all(edits)).flat() };
}

const tagsOf = (held: ReadonlyMap<string, Held>, urn: string): readonly string[] => held.get(urn)?.tags ?? [];

const modes = ["authoritative", "merge"] as const;
const ways = ["graphql", "conditional"] as const;
const cases = modes.flatMap((mode) => ways.flatMap((way) => seeds.map((seed) => [mode, way, seed] as const)));

test.each(cases)(
  "under %s, written by %s, nothing that another client adds meanwhile is lost, and the report is true (seed %i)",
  async (mode, way, seed) => {
    // Only conditional writes hold where the server itself loses updates.
    const faults = way === "conditional" ? [{ fault: "lost_update", milliseconds: 5, rate: 1 } as const] : [];
    const storm = await stormOf({ seed, faults }, `writes: ${way}`, `manage: { tags: ${mode} }`);
    const before = heldIn(storm.catalog.aspects());

    const { ran, confirmed, isLate } = await applyBeside(storm);

    const held = heldIn(storm.catalog.aspects());
    expect(confirmed.length).toBeGreaterThan(0);
    expect(confirmed.filter(({ urn, tag }) => !tagsOf(held, urn).includes(tag))).toEqual([]);
    expectNothingElse(storm.catalog.aspects(), mine);
    const outcomes = outcomesOf(ran);
    const others = outcomes.filter(({ facet }) => facet !== "tags");
    expectTrue(others, before, held);
    expect([0, 6, 7]).toContain(ran.code);
    const stale = new Set(outcomes.filter(({ status }) => status === "stale").map(({ urn }) => urn));
    expect([...stale].filter((urn) => !edited.includes(urn as Urn))).toEqual([]);
    // What the server loses to another client after it was read back, nobody can tell.
    const isLost = (urn: string): boolean => way === "conditional" && isLate(urn);
    const untold = names
      .map(datasetNamed)
      .filter((urn) => !tagsOf(held, urn).includes("urn:li:tag:pii") && !isLost(urn))
      .filter(
        (urn) =>
          !outcomes.some((told) => told.urn === urn && told.facet === "tags" && told.status !== "applied"),
      );
    expect(untold).toEqual([]);
  },
);
