import { describe, expect, test } from "vitest";
import type { Fight, Hold, SetChange } from "../../../src/model/change.ts";
import { noMemberships } from "../../../src/model/membership.ts";
import type { Member } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { withIgnoredMoves, withCompleteMoves } from "../../../src/plan/notes/moves.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const [a, b] = ["a", "b"].map(datasetNamed) as [Urn, Urn];
const [core, mart, old] = ["core", "mart", "old"].map((id) => urn(`urn:li:dataProduct:${id}`)) as [
  Urn,
  Urn,
  Urn,
];

function assets(
  of: Urn,
  add: readonly Member[],
  remove: readonly Member[],
  more: Partial<SetChange> = {},
): SetChange {
  const about = { action: "update", kind: "DataProduct", urn: of, fingerprint: "f" } as const;
  return { ...about, shape: "set", facet: "assets", add, remove, ...more };
}

const fight = (value: Member): Fight => ({ value, times: 3, last: "then", until: "later" });
const held = (value: Member, at: Urn): Hold => ({ value, urn: at });

describe("a member that moves is held back at both ends where it is", () => {
  test("fought over where it joins", () => {
    const joins = assets(core, [a, b], [], { fights: [fight(a)] });
    expect(withCompleteMoves([joins, assets(mart, [], [a]), assets(old, [], [a, b])])).toEqual([
      joins,
      assets(mart, [], [a], { holds: [held(a, core)] }),
      assets(old, [], [a, b], { holds: [held(a, core)] }),
    ]);
  });

  test("fought over where it leaves", () => {
    const leaves = assets(old, [], [a], { fights: [fight(a)] });
    expect(withCompleteMoves([assets(core, [a, b], []), leaves, assets(mart, [], [a])])).toEqual([
      assets(core, [a, b], [], { holds: [held(a, old)] }),
      leaves,
      assets(mart, [], [a], { holds: [held(a, core)] }),
    ]);
  });

  test("what goes in exchange for one that is held back, and moves on", () => {
    const exchanged = assets(core, [a], [b], { fights: [fight(a)] });
    expect(withCompleteMoves([exchanged, assets(mart, [b], [])])).toEqual([
      exchanged,
      assets(mart, [b], [], { holds: [held(b, core)] }),
    ]);
  });

  test("and nothing where none is, or the list is not one of groups that share no member", () => {
    const tags: SetChange = { ...assets(core, ["t"], [], { fights: [fight("t")] }), facet: "tags" };
    const changes = [
      assets(core, [a], []),
      assets(mart, [], [a]),
      tags,
      { ...assets(old, [], ["t"]), facet: "tags" },
    ];
    expect(withCompleteMoves(changes)).toEqual(changes);
  });
});

describe("a member that an ignore rule keeps in a group", () => {
  const ignored = ignoring([{ urn: old, reason: "theirs" }]);
  const known = (isExclusive: boolean): Parameters<typeof withIgnoredMoves>[1] =>
    new Map([["assets", { ...noMemberships, isExclusive, groupsOf: new Map([[a, new Set([old, core])]]) }]]);

  test("does not join another where it can be in one", () => {
    expect(withIgnoredMoves([assets(mart, [a, b], [])], known(true), ignored)).toEqual([
      assets(mart, [a, b], [], { holds: [{ ...held(a, old), reason: "theirs" }] }),
    ]);
  });

  test("joins another where it can be in several, and this one again", () => {
    const changes = [assets(mart, [a], []), assets(core, [], [a])];
    expect(withIgnoredMoves(changes, known(false), ignored)).toEqual(changes);
    expect(withIgnoredMoves([assets(old, [a], [])], known(true), ignored)).toEqual([assets(old, [a], [])]);
  });
});
