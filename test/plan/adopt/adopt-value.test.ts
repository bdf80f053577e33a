import { describe, expect, test } from "vitest";
import { type Mode, modes } from "../../../src/model/settings.ts";
import { type Member, type Scalar, scalarOf, setOf, type SetValue } from "../../../src/model/state.ts";
import { type Adopted, adoptScalar, adoptSet } from "../../../src/plan/align/adopt.ts";

const origin = { file: "catalog/a.yaml", line: 4, column: 1 };
const nothing = (): boolean => false;
const ignored = (value: Member | Scalar): boolean => typeof value === "string" && value.startsWith("ignored");

describe("of a set", () => {
  // Each value is called by the hands that have it.
  const want = setOf(["declared", "declared+live", "declared+live+base"], origin);
  const have = setOf(["declared+live", "declared+live+base", "live", "live+base"]);
  const base = setOf(["declared+live+base", "live+base", "base"]);
  const all = want.members;

  test.each<readonly [Mode, string, boolean, readonly string[], Adopted<SetValue>["kept"]]>([
    ["authoritative", "what is declared", true, [], []],
    ["authoritative", "what is declared", false, [], []],
    ["merge", "what base did not declare", true, ["live"], [{ value: "live", declaredBefore: false }]],
    [
      "merge",
      "all that is there",
      false,
      ["live", "live+base"],
      [
        { value: "live", declaredBefore: false },
        { value: "live+base", declaredBefore: false },
      ],
    ],
    [
      "additive",
      "all that is there, and knows what base declared,",
      true,
      ["live", "live+base"],
      [
        { value: "live", declaredBefore: false },
        { value: "live+base", declaredBefore: true },
      ],
    ],
    [
      "additive",
      "all that is there",
      false,
      ["live", "live+base"],
      [
        { value: "live", declaredBefore: false },
        { value: "live+base", declaredBefore: false },
      ],
    ],
  ])("%s keeps %s where it is %s that base is known", (mode, _, isKnown, others, kept) => {
    const adopted = adoptSet(mode, { desired: want, live: have, base: isKnown ? base : undefined }, nothing);

    expect(adopted).toEqual({ value: setOf([...all, ...others], origin), kept });
  });

  test.each(modes)("under %s what is ignored is neither added nor removed nor spoken of", (mode) => {
    const adopted = adoptSet(
      mode,
      {
        desired: setOf(["ignored+declared", "ignored+both", "declared"]),
        live: setOf(["ignored+both", "ignored+live", "ignored+live+base"]),
        base: setOf(["ignored+live+base"]),
      },
      ignored,
    );

    expect(adopted).toEqual({
      value: setOf(["declared", "ignored+both", "ignored+live", "ignored+live+base"]),
      kept: [],
    });
  });

  test("members that are objects are the same where all of their texts are", () => {
    const as = (type: string): Member => ({ owner: "alice", type });
    const sides = {
      desired: setOf([as("x")]),
      live: setOf([as("x"), as("y"), as("z")]),
      base: setOf([as("y")]),
    };

    expect(adoptSet("merge", sides, nothing)).toEqual({
      value: setOf([as("x"), as("z")]),
      kept: [{ value: as("z"), declaredBefore: false }],
    });
  });
});

describe("of a single value", () => {
  // A mode, what is declared, what is there, what base declares, what it shall be, whether base declares what stays.
  test.each<readonly [Mode, Scalar, Scalar, Scalar | undefined, Scalar, boolean | undefined]>([
    ["authoritative", "a", "b", undefined, "a", undefined],
    ["authoritative", "a", "b", "b", "a", undefined],
    ["authoritative", null, "b", undefined, null, undefined],
    ["authoritative", "a", null, undefined, "a", undefined],
    ["merge", "a", "b", undefined, "a", undefined],
    ["merge", "a", "b", "b", "a", undefined],
    ["merge", "a", null, "b", "a", undefined],
    ["additive", "a", null, undefined, "a", undefined],
    ["additive", "a", null, "b", "a", undefined],
    ["additive", "a", "b", undefined, "b", false],
    ["additive", "a", "b", "c", "b", false],
    ["additive", "a", "b", "b", "b", true],
    ["additive", null, "b", "b", "b", true],
    ["additive", false, true, undefined, true, false],
    ["additive", "a", "a", undefined, "a", undefined],
    ["additive", null, null, undefined, null, undefined],
  ])("under %s %j over %j, with %j in base, gives %j", (mode, want, have, before, value, declaredBefore) => {
    const base = before === undefined ? undefined : scalarOf(before);
    const adopted = adoptScalar(
      mode,
      { desired: scalarOf(want, origin), live: scalarOf(have), base },
      nothing,
    );

    const kept = declaredBefore === undefined ? [] : [{ value: have, declaredBefore }];
    expect(adopted).toEqual({ value: scalarOf(value, origin), kept });
  });

  const disputed: readonly (readonly [Scalar, Scalar])[] = [
    ["ignored", "a"],
    ["a", "ignored"],
    ["ignored", null],
    [null, "ignored"],
  ];
  const rows = modes.flatMap((mode) => disputed.map(([want, have]) => ({ mode, want, have })));

  test.each(rows)(
    "$want over $have is under $mode as it is, and is not spoken of",
    ({ mode, want, have }) => {
      const sides = { desired: scalarOf(want, origin), live: scalarOf(have), base: undefined };

      expect(adoptScalar(mode, sides, ignored)).toEqual({ value: scalarOf(have, origin), kept: [] });
    },
  );
});

test("a set that was adopted keeps who declares it, where that is known", () => {
  const by = [{ rule: "r", values: ["x"] }];
  const sides = { desired: setOf(["x"], origin), live: setOf([]), base: undefined };

  expect(adoptSet("merge", { ...sides, desired: { ...sides.desired, by } }, nothing).value).toStrictEqual({
    ...setOf(["x"], origin),
    by,
  });
  expect(adoptSet("merge", sides, nothing).value).toStrictEqual(setOf(["x"], origin));
});
