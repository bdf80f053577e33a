import { describe, expect, test } from "vitest";
import type { Fight, Hold, SetChange } from "../../../src/model/change.ts";
import { noMemberships } from "../../../src/model/membership.ts";
import type { Member } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { contextAt } from "../../../src/plan/notes/index.ts";
import { ignoring } from "../../../src/plan/base/ignore.ts";
import { completeMoves, ignoredMove } from "../../../src/plan/notes/moves.ts";
import { notesContext } from "../../support/noted.ts";
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
    expect(completeMoves([joins, assets(mart, [], [a]), assets(old, [], [a, b])])).toEqual([
      joins,
      assets(mart, [], [a], { holds: [held(a, core)] }),
      assets(old, [], [a, b], { holds: [held(a, core)] }),
    ]);
  });

  test("fought over where it leaves", () => {
    const leaves = assets(old, [], [a], { fights: [fight(a)] });
    expect(completeMoves([assets(core, [a, b], []), leaves, assets(mart, [], [a])])).toEqual([
      assets(core, [a, b], [], { holds: [held(a, old)] }),
      leaves,
      assets(mart, [], [a], { holds: [held(a, core)] }),
    ]);
  });

  test("what goes in exchange for one that is held back, and moves on", () => {
    const exchanged = assets(core, [a], [b], { fights: [fight(a)] });
    expect(completeMoves([exchanged, assets(mart, [b], [])])).toEqual([
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
    expect(completeMoves(changes)).toEqual(changes);
  });
});

describe("a member that an ignore rule keeps in a group", () => {
  const ignored = ignoring([{ urn: old, reason: "theirs" }]);
  const holdsOf = (change: SetChange, isExclusive: boolean): unknown => {
    const edges = new Map([
      ["assets", { ...noMemberships, isExclusive, groupsOf: new Map([[a, new Set([old, core])]]) }],
    ]);
    const states = { desired: new Map(), live: new Map() };
    const plan = { ...notesContext(states, { ignored }), edges };
    return ignoredMove.of(change, contextAt(change, plan));
  };

  test("does not join another where it can be in one", () => {
    expect(holdsOf(assets(mart, [a, b], []), true)).toEqual({
      holds: [{ ...held(a, old), reason: "theirs" }],
    });
  });

  test("joins another where it can be in several, and this one again", () => {
    expect(holdsOf(assets(mart, [a], []), false)).toBeUndefined();
    expect(holdsOf(assets(core, [], [a]), false)).toBeUndefined();
    expect(holdsOf(assets(old, [a], []), true)).toBeUndefined();
  });
});
