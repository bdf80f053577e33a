import { expect, test } from "vitest";
import { editsBetween } from "../../../src/manifests/edit/export/facet-edits.ts";
import { setOf } from "../../../src/model/state.ts";
import { datasetNamed } from "../../support/states.ts";

const email = "[version=2.0].[type=struct].[type=string].email";

function tagged(columns: Readonly<Record<string, string>>) {
  const entries = Object.entries(columns).map(
    ([column, tag]) => [column, setOf([`urn:li:tag:${tag}`])] as const,
  );
  return new Map([["columns.tags", { shape: "map", entries: new Map(entries) } as const]]);
}

test("a column whose plain name is the path of another one does not get the values of that one", () => {
  const edits = editsBetween(datasetNamed("a"), tagged({ [email]: "a", email: "b" }), tagged({ email: "c" }));
  expect(edits).toMatchObject([
    { path: [email], value: { type: "undeclared" } },
    { path: ["email"], value: { add: ["urn:li:tag:c"], remove: ["urn:li:tag:b"] } },
  ]);
});

test("a column keeps the name by which the manifest declares it", () => {
  const edits = editsBetween(datasetNamed("a"), tagged({ [email]: "a" }), tagged({ email: "c" }));
  expect(edits).toMatchObject([
    { path: [email], value: { add: ["urn:li:tag:c"], remove: ["urn:li:tag:a"] } },
  ]);
});
