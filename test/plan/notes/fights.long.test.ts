import fc from "fast-check";
import { test } from "vitest";
import { hour, type Month, ours, play, theirs } from "../../support/fight-world.ts";
import { counted, runsOf } from "../../support/runs.ts";

/** A month takes a tenth of a second. */
const numRuns = runsOf(40);
const [days, places] = [30, 3] as const;
const minutes = fc.integer({ min: 0, max: days * 96 - 1 }).map((quarters) => (quarters * hour) / 4);
const place = fc.nat(places - 1);
const span = fc
  .tuple(minutes, fc.integer({ min: 1, max: 60 }))
  .map(([at, hours]) => [at, at + hours * hour] as const);

const months: fc.Arbitrary<Month> = fc.record({
  days: fc.constant(days),
  opponents: fc.tuple(
    ...[15, 300, 1440].map((every) =>
      fc.record({ every: fc.constant((every * hour) / 60), pause: span }, { requiredKeys: ["every"] }),
    ),
  ),
  commits: fc.array(
    fc.record({ at: minutes, place, value: fc.constantFrom(ours, theirs, "urn:li:domain:other") }),
    { maxLength: 30 },
  ),
  outages: fc.array(span, { maxLength: 5 }),
  failures: fc.array(fc.record({ at: minutes, place }), { maxLength: 60 }),
});

test(
  "in any month the decisions are those of an oracle that knows each commit, and nothing is written without end",
  counted,
  () => {
    const holds = fc.property(months, (month) => {
      const { writes, differences } = play(month);
      if (differences.length > 0) throw new Error(`different: ${JSON.stringify(differences.slice(0, 3))}`);
      const most = (commits: number): number => (days + 1) * 4 + commits * 5;
      for (const [index, count] of writes.entries()) {
        const commits = month.commits.filter((each) => each.place === index).length;
        if (count > most(commits))
          throw new Error(`place ${index} was written ${count} times in ${days} days`);
      }
    });
    fc.assert(holds, { numRuns });
  },
);
