import { expect, test } from "vitest";
import { type FacetValue, scalarOf, setOf, type State } from "../../../src/model/state.ts";
import { nothingIgnored } from "../../../src/plan/base/ignore.ts";
import { diff } from "../../../src/plan/diff/diff.ts";
import { noted } from "../../support/noted.ts";
import { datasetNamed, entityOf, stateOf } from "../../support/states.ts";

// What is declared, what is there, what the last applied commit declares, and which values others changed.
test.each<readonly [string, FacetValue, FacetValue, FacetValue | undefined, readonly unknown[] | undefined]>([
  ["a value that is declared as before", scalarOf("x"), scalarOf("y"), scalarOf("x"), ["x"]],
  ["a value that is unset as before", scalarOf(null), scalarOf("y"), scalarOf(null), [null]],
  ["no value that is declared anew", scalarOf("x"), scalarOf("y"), scalarOf("y"), undefined],
  ["no value that was a set before", scalarOf("x"), scalarOf("y"), setOf(["x"]), undefined],
  ["no value where it is not known what was applied", scalarOf("x"), scalarOf("y"), undefined, undefined],
  [
    "elements that are declared as before, and those that were not declared then either",
    setOf(["kept", "new", "old"]),
    setOf(["gone", "kept", "theirs"]),
    setOf(["gone", "kept", "old"]),
    ["old", "theirs"],
  ],
  ["no element that is declared anew", setOf(["new"]), setOf(["gone"]), setOf(["gone"]), undefined],
  ["no element of what was a single value before", setOf(["x"]), setOf(["y"]), scalarOf("x"), undefined],
  ["no element where it is not known what was applied", setOf(["x"]), setOf(["y"]), undefined, undefined],
])("a change sets back what others changed: %s", (_, want, have, before, reverts) => {
  const state = (value: FacetValue): State =>
    stateOf(entityOf("Dataset", datasetNamed("a"), { domain: value }));
  const [desired, live] = [state(want), state(have)];
  const applied = before && state(before);
  const rules = { modes: {}, ignored: nothingIgnored, base: undefined, applied };

  const [change] = noted(diff(desired, live), { desired, live }, rules);

  expect(change?.reverts).toEqual(reverts);
  expect("reverts" in (change ?? {})).toBe(reverts !== undefined);
});

test("what others may add to is covered only as far as it is declared, where base is not known", () => {
  const state = (...tags: readonly string[]): State =>
    stateOf(entityOf("Dataset", datasetNamed("a"), { tags: setOf(tags) }));
  const [desired, live] = [state("x", "y"), state("y", "theirs")];
  const rules = { modes: { tags: "merge" }, ignored: nothingIgnored, base: undefined } as const;

  const [change] = noted(diff(desired, live), { desired, live }, rules);

  expect(change).toHaveProperty("covers", { elements: ["y"], except: ["*"] });
});
