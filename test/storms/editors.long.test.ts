import { expect, test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { datasetNamed } from "../support/states.ts";
import { applyBeside, askedByOthers } from "./beside.ts";
import {
  expectNothingElse,
  expectTrue,
  type Held,
  heldIn,
  mine,
  names,
  outcomesOf,
  seeds,
  type Storm,
  stormOf,
} from "./world.ts";

/** The tags of another client. */
const tags = mine.slice(0, 12).map((id) => `urn:li:tag:${id}`);

/** A tag that the server says a dataset has. */
interface Confirmed {
  readonly urn: string;
  readonly tag: string;
}

/** Gives a dataset one tag after the other, as another client does. */
async function edit(storm: Storm, urn: string): Promise<readonly Confirmed[]> {
  const confirmed: Confirmed[] = [];
  for (const tag of tags) {
    const query = `mutation { addTags(input: { tagUrns: ["${tag}"], resourceUrn: "${urn}" }) }`;
    // Whoever's connection breaks was told nothing.
    const { data } = (await askedByOthers(storm, "/api/graphql", { query })) as {
      readonly data?: { readonly addTags?: boolean };
    };
    if (data?.addTags === true) confirmed.push({ urn, tag });
  }
  return confirmed;
}

/** Every third dataset. */
const edited = names.filter((_, index) => index % 3 === 0).map(datasetNamed);

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

    const {
      ran,
      edits: confirmed,
      isLate,
    } = await applyBeside(storm, edited, {
      begin: "when it is written",
      edit: (urn) => edit(storm, urn),
    });

    const held = heldIn(storm.catalog.aspects());
    expect(confirmed.length).toBeGreaterThan(0);
    expect(confirmed.filter(({ urn, tag }) => !tagsOf(held, urn).includes(tag))).toEqual([]);
    expectNothingElse(storm.catalog.aspects(), tags);
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
