import fc from "fast-check";
import { test } from "vitest";
import { patience, seeded } from "../laws/law.ts";
import { histories } from "./draws.ts";
import { events, play } from "./play.ts";

const numRuns = Number(process.env["HISTORY_RUNS"] ?? 15);

test(
  "whatever happens to the manifests and in the catalog, each plan, apply and move of the ref is as the rules of ownership say",
  async () => {
    await fc.assert(fc.asyncProperty(histories, play), { numRuns, ...seeded });
    console.log(`${numRuns} histories:`, events);
  },
  patience,
);
