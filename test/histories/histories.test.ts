import fc from "fast-check";
import { expect, test } from "vitest";
import { histories } from "./draws.ts";
import { events, play } from "./play.ts";
import { counted, isInFull, lawSeed, runsOf } from "../support/runs.ts";

/** In full there are more of them, for what seldom comes about. */
const numRuns = runsOf(isInFull ? 20 : 4);

/** The same histories in each run, unless `LAW_SEED` says otherwise: then a failure comes from what was changed. */
const usualSeed = 41;

/** With so many of the usual histories each kind of event comes about. */
const many = 200;

const kinds = [
  ["commit", "merge", "revert", "reset", "file moved"],
  ["edited in the UI", "columns changed", "removed softly", "came back"],
  ["plan", "apply", "saved plan", "drift", "part", "prune", "refused", "stale"],
  ["create", "update", "delete", "additions", "replacements", "removals", "heldBack", "restored"],
  ["membership from the group", "membership from the user"],
  ["ref moved", "ref stayed", "left behind", "left on what is gone"],
].flat();

test(
  "whatever happens to the manifests and in the catalog, each plan, apply and move of the ref is as the rules of ownership say",
  counted,
  async () => {
    await fc.assert(fc.asyncProperty(histories, play), { numRuns, seed: lawSeed ?? usualSeed });
    console.log(`${numRuns} histories:`, events);
    if (lawSeed === undefined && numRuns >= many)
      expect(kinds.filter((event) => events[event] === undefined)).toEqual([]);
  },
);
