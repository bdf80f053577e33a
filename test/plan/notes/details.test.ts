import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { unmanagedWithWriter, type WriterOf, writers } from "../../../src/plan/notes/details.ts";
import { withNotes } from "../../../src/plan/notes/index.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { valueKey } from "../../../src/model/values.ts";

const a = datasetNamed("a");
const tag = urn("urn:li:tag:t");
const nobody: WriterOf = () => ({});

const detailed = (change: Change, writerOf: WriterOf): readonly Change[] => [
  withNotes(change, [writers], writerOf),
];

const update = {
  action: "update",
  shape: "set",
  kind: "Dataset",
  urn: a,
  facet: "tags",
  fingerprint: "",
} as const;
const deletion: Change = { action: "delete", shape: "entity", kind: "Tag", urn: tag, fingerprint: "" };

describe("of the values that go", () => {
  test("each is named with who put it there, as far as that is known", () => {
    const removed = ["x", "y"].map((value) => ({ value, declaredBefore: false }));
    const change: Change = { ...update, add: [], remove: ["x", "y"], removed };
    const asked: unknown[] = [];

    const changes = detailed(change, (of, value) => {
      asked.push([of, value]);
      return value === "x" ? { actor: "urn:li:corpuser:a", time: "2026-01-01T00:00:00.000Z" } : {};
    });

    expect(asked).toEqual([
      [change, "x"],
      [change, "y"],
    ]);
    expect(changes).toEqual([
      {
        ...change,
        removed: [
          {
            value: "x",
            declaredBefore: false,
            actor: "urn:li:corpuser:a",
            time: "2026-01-01T00:00:00.000Z",
          },
          { value: "y", declaredBefore: false },
        ],
      },
    ]);
  });

  test("nothing is said where none go", () => {
    const change: Change = { ...update, add: ["x"], remove: [] };

    const [known] = detailed(change, () => ({ actor: "a" }));

    expect(known).toBe(change);
  });
});

test("nothing is said of an entity as a whole", () => {
  expect(detailed(deletion, nobody)).toStrictEqual([deletion]);
});

test("of the values that are not managed, those of others are named with who put them there", () => {
  const kept = { kind: "Dataset", urn: a, facet: "tags", value: "x" };
  const reasons = ["other-writer", "ingested", "external", "no-longer-declared"] as const;
  const unmanaged = reasons.map((reason) => ({ ...kept, reason }));
  const byA = { actor: "urn:li:corpuser:a", time: "2026-01-01T00:00:00.000Z" };

  const known = unmanaged.map((each) => unmanagedWithWriter(each, () => byA));

  expect(known).toEqual([{ ...unmanaged[0], ...byA }, ...unmanaged.slice(1)]);
});

describe("of a value that others set back", () => {
  const fight = { times: 3, last: "then", until: "later" };
  const writerOf: WriterOf = (_, value, of) => ({
    actor: `urn:li:corpuser:${valueKey(value)}-${of ?? "writer"}`,
  });

  test("it is named who put the element of a set back", () => {
    const change: Change = { ...update, add: ["x"], remove: [], fights: [{ ...fight, value: "x" }] };

    expect(detailed(change, writerOf)).toEqual([
      { ...change, fights: [{ ...fight, value: "x", actor: "urn:li:corpuser:x-opponent" }] },
    ]);
  });

  test("it is named who put another single value there", () => {
    const change: Change = {
      ...update,
      facet: "domain",
      shape: "scalar",
      before: "theirs",
      after: "ours",
      fights: [{ ...fight, value: "ours" }],
    };

    expect(detailed(change, writerOf)).toEqual([
      { ...change, fights: [{ ...fight, value: "ours", actor: "urn:li:corpuser:theirs-opponent" }] },
    ]);
  });
});
