import { describe, expect, test } from "vitest";
import { columns, observedColumns, simpleColumn } from "../../src/facets/columns.ts";
import type { KeyFinder } from "../../src/facets/map-contract.ts";
import { leavesOf } from "../../src/model/place.ts";
import { type FacetValue, setOf } from "../../src/model/state.ts";
import { valuesOf } from "../../src/model/values.ts";

test.each([
  ["email", "email"],
  ["customer.email", "customer.email"],
  ["items[0].id", "items[0].id"],
  ["x[version=2.0]", "x[version=2.0]"],
  ["[version=2.0].[type=string].email", "email"],
  ["[version=2.0].[type=struct].[type=struct].customer.[type=string].email", "customer.email"],
  ["[version=2.0].[key=True].[type=long].id", "id"],
])("the plain name of the column %s is %s", (path, name) => {
  expect(simpleColumn(path)).toBe(name);
});

describe("a column that is written", () => {
  const email = "[version=2.0].[type=struct].[type=string].email";
  const otherEmail = "[version=2.0].[type=union].[type=string].email";

  function lookUp(...paths: readonly string[]): KeyFinder {
    if (!columns.among) throw new Error("columns are not looked up");
    return columns.among(paths);
  }

  test("is the one of that path, though another has that plain name", () => {
    expect(lookUp(email, "email")("email")).toEqual({ candidates: ["email"] });
    expect(lookUp(email, otherEmail)(email)).toEqual({ candidates: [email] });
  });

  test("is the only one of that plain name", () => {
    expect(lookUp(email, "id")("email")).toEqual({ candidates: [email] });
  });

  test("is ambiguous where several have that plain name", () => {
    expect(lookUp(email, otherEmail)("email")).toEqual({
      fault: "ambiguous",
      candidates: [email, otherEmail],
    });
  });

  test("is none where there are no columns", () => {
    expect(lookUp()("email")).toEqual({ fault: "none", candidates: [] });
  });

  test("is unknown otherwise, and perhaps meant to be one of the others", () => {
    expect(lookUp(email, "id")("e-mial")).toEqual({
      fault: "unknown",
      candidates: ["email", "id"],
      suggestion: "email",
    });
  });

  test("is not compared with the others where twenty before it were unknown", () => {
    const among = lookUp("id", "email");
    for (let count = 0; count < 19; count += 1) among(`x${count}`);

    expect(among("emial")).toMatchObject({ suggestion: "email" });
    expect(among("emial")).toEqual({ fault: "unknown", candidates: [] });
    expect(among("email")).toEqual({ candidates: ["email"] });
  });
});

const v2 = (column: string, of: string): string => `[version=2.0].[type=${of}].[type=string].${column}`;

/** The values of each column, and of paths that are no columns, by what ingestion knows and what is edited of them. */
function observed(paths: readonly string[], edited: Readonly<Record<string, readonly string[]>>) {
  const info = ([fieldPath, own]: readonly [string, readonly string[]]) => ({ fieldPath, own });
  const { value, dormant } = observedColumns(
    {
      schemaMetadata: { fields: paths.map((fieldPath) => ({ fieldPath })) },
      editableSchemaMetadata: { editableSchemaFieldInfo: Object.entries(edited).map(info) },
    },
    ({ own = [] }) => setOf(own as readonly string[]),
  );
  const values = (of: FacetValue | undefined): object =>
    Object.fromEntries(
      leavesOf(of).flatMap(([[column = ""], leaf]) => {
        const found = [
          ...valuesOf(leaf),
          ...(leaf.alsoStoredAt === undefined ? [] : [`at ${leaf.alsoStoredAt}`]),
        ];
        return found.length === 0 ? [] : [[column, found]];
      }),
    );
  return { values: values(value), dormant: values(dormant) };
}

test("what is stored under the plain name of a column is a value of it", () => {
  const email = v2("email", "a");
  expect(observed([email], { email: ["x"] })).toEqual({
    values: { [email]: ["x", "at email"] },
    dormant: {},
  });
  expect(observed([email], { [email]: ["y"], email: ["x"] })).toEqual({
    values: { [email]: ["x", "y", "at email"] },
    dormant: {},
  });
  expect(observed([email], { [email]: ["y"], email: [] })).toEqual({
    values: { [email]: ["y"] },
    dormant: {},
  });
});

test("a plain name of several columns, of another column, or of none, names none", () => {
  const [a, b] = [v2("email", "a"), v2("email", "b")];
  expect(observed([a, b], { email: ["x"] })).toEqual({ values: {}, dormant: { email: ["x"] } });
  expect(observed([a, "email"], { email: ["x"] })).toEqual({ values: { email: ["x"] }, dormant: {} });
  expect(observed([a], { phone: ["x"] })).toEqual({ values: {}, dormant: { phone: ["x"] } });
});
