import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import { type Member, setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { touchedOwners } from "../../../src/plan/notes/touched-owners.ts";
import { conflict } from "../../report/plans.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [a, b, c] = [datasetNamed("a"), datasetNamed("b"), datasetNamed("c")];
const user = (id: string): Urn => urn(`urn:li:corpuser:${id}`);

function owner(id: string, type = "technical_owner"): Member {
  return { owner: user(id), type: `urn:li:ownershipType:__system__${type}` };
}

function changed(of: Urn, facet: string, add: readonly Member[], remove: readonly Member[] = []): Change {
  return { action: "update", shape: "set", kind: "Dataset", urn: of, facet, add, remove, fingerprint: "f" };
}

test("the owners of what changes are those that some state has and those that come and go, each once", () => {
  const desired = stateOf(
    entityOf("Dataset", a, { owners: setOf([owner("zoe"), owner("ada"), owner("ada", "data_steward")]) }),
    entityOf("Dataset", b, { tags: setOf(["urn:li:tag:pii"]) }),
    entityOf("Dataset", c, { owners: setOf([owner("of-what-stays")]) }),
  );
  const changes: readonly Change[] = [
    changed(a, "tags", ["urn:li:tag:new"], ["urn:li:tag:old"]),
    changed(b, "owners", [owner("mia"), owner("ada")], [owner("bob")]),
    { ...conflict, urn: b },
    { action: "create", shape: "entity", kind: "Tag", urn: urn("urn:li:tag:new"), fingerprint: "f" },
  ];
  const live = stateOf(
    entityOf("Dataset", a, { owners: setOf([owner("lia"), owner("ada")]) }),
    entityOf("Dataset", c, { owners: setOf([owner("of-what-stays-there")]) }),
  );
  expect(touchedOwners(changes, [desired])).toEqual(["ada", "bob", "mia", "zoe"].map(user));
  expect(touchedOwners(changes, [desired, live])).toEqual(["ada", "bob", "lia", "mia", "zoe"].map(user));
});

test("a plan that changes nothing touches no owner", () => {
  const desired = stateOf(entityOf("Dataset", a, { owners: setOf([owner("ada")]) }));
  expect(touchedOwners([], [desired])).toEqual([]);
});
