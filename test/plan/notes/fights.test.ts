import { expect, test } from "vitest";
import type { SetChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Outcome } from "../../../src/model/report.ts";
import { pendingIn, heldBackIn } from "../../../src/model/held-back.ts";
import { writesIn } from "../../../src/plan/notes/fights.ts";
import { datasetNamed } from "../../support/states.ts";
import { day, hour, type Month, ours, play, theirs } from "../../support/fight-world.ts";

const quiet: Month = { days: 30, opponents: [], commits: [], outages: [], failures: [] };
const quarter = hour / 4;

test("in a month with three opponents, commits and outages the decisions are those of an oracle that knows each commit", () => {
  const { writes, held, differences } = play({
    ...quiet,
    opponents: [
      { every: quarter, pause: [12 * day, 20 * day] },
      { every: 5 * hour, pause: [17 * day, 19 * day] },
      { every: day },
    ],
    commits: [
      { at: 5 * day + hour, place: 0, value: "urn:li:domain:other" },
      { at: 6 * day, place: 0, value: ours },
      { at: 9 * day, place: 1, value: theirs },
      { at: 10 * day, place: 1, value: ours },
      { at: 15 * day + 7 * hour, place: 2, value: "urn:li:domain:other" },
    ],
    outages: [
      [3 * day, 3 * day + 5 * hour],
      [22 * day, 23 * day + hour],
    ],
    failures: [1, 2, 3].map((each) => ({ at: each * 7 * day + hour, place: 1 })),
  });

  expect(differences).toEqual([]);
  expect({ writes, held }).toMatchInlineSnapshot(`
    {
      "held": [
        1939,
        1440,
        0,
      ],
      "writes": [
        67,
        67,
        30,
      ],
    }
  `);
});

test("an opponent that never stops is written against four times on the first day and three times on any other", () => {
  const { writes } = play({ ...quiet, days: 10, opponents: [{ every: quarter }] });

  expect(writes).toEqual([4 + 9 * 3]);
});

test("where the opponent has stopped for a day the next edit is reverted at once", () => {
  const pause = [day, 29 * day] as const;
  const { writes, held } = play({ ...quiet, opponents: [{ every: quarter, pause }] });

  expect(writes).toEqual([4 + 1 + 3]);
  expect(held[0]).toBeLessThan(2 * 96);
});

test("a commit that changes what is declared is written at once, however often the value before was", () => {
  const opponents = [{ every: quarter }];
  const commits = [{ at: 12 * hour, place: 0, value: "urn:li:domain:other" }];

  expect(play({ ...quiet, days: 1, opponents, commits }).writes).toEqual([4 + 4]);
});

test("an opponent of each day is written against each day", () => {
  const { writes, held } = play({ ...quiet, opponents: [{ every: day }] });

  expect({ writes, held }).toEqual({ writes: [30], held: [0] });
});

const changed: SetChange = {
  action: "update",
  shape: "set",
  kind: "Dataset",
  urn: datasetNamed("a"),
  facet: "tags",
  add: ["urn:li:tag:a", "urn:li:tag:b"],
  remove: ["urn:li:tag:c"],
  fingerprint: "",
};

test.each<readonly [string, readonly Outcome["status"][], number]>([
  ["all of it was written", ["applied", "applied", "applied"], 3],
  ["a part of one side failed", ["applied", "failed", "applied"], 2],
  ["a part of one side was skipped", ["applied", "skipped", "applied"], 2],
  ["all was stale", ["stale", "stale", "stale"], 0],
])("of a change of a set, where %s, so many values count", (_, statuses, count) => {
  const writes = [{ adds: ["urn:li:tag:a"] }, { adds: ["urn:li:tag:b"] }, { removes: ["urn:li:tag:c"] }];
  const operations = ["addTags", "addTags", "removeTag"].map((field, index): Operation => {
    return {
      ...writes[index],
      id: `${index}`,
      request: { type: "mutation", field, args: [] },
      locks: [],
      after: [],
      changes: [changed],
    };
  });
  const outcomes = operations.map((operation, index) => ({
    status: statuses[index],
    operation,
    because: "",
    error: "",
  })) as readonly Outcome[];
  const plan = { changes: [changed], git: { commit: null, dirty: false, base: null } } as unknown as Plan;

  expect(writesIn({ plan, outcomes }, 0)).toHaveLength(count);
});

test("a part of a set that is held back is left out of what is carried out, whose fingerprint stays right", () => {
  const covers = { elements: ["urn:li:tag:d"], except: ["*"] };
  const about = { times: 3, last: "", until: "" };
  const fights = [
    { ...about, value: "urn:li:tag:b" },
    { ...about, value: "urn:li:tag:c" },
  ];

  const pending = pendingIn([{ ...changed, covers, fights }]);
  const skipped = heldBackIn([{ ...changed, covers, fights }]);

  expect(pending).toEqual([
    {
      ...changed,
      add: ["urn:li:tag:a"],
      remove: [],
      covers: { ...covers, elements: ["urn:li:tag:d", "urn:li:tag:c"] },
    },
  ]);
  expect(skipped).toEqual([{ ...changed, covers, fights, add: ["urn:li:tag:b"] }]);
});
