import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  openSqlite,
  sqliteCode,
  type Sqlite,
  type SqlValue,
} from "../../../../src/local-catalog/store/sqlite/connection.ts";
import { temporaryDirectory } from "../../support.ts";

function database(): Sqlite {
  const opened = openSqlite(join(temporaryDirectory(), "test.db"));
  onTestFinished(() => opened.close());
  opened.exec("CREATE TABLE pair (a, b)");
  return opened;
}

test("a row is a tuple of its columns, and no row is undefined", () => {
  const opened = database();
  opened.prepare("INSERT INTO pair VALUES (?, ?)").run("x", 1);
  const read = opened.prepare<[string, number]>("SELECT a, b FROM pair WHERE a = ?");
  expect(read.get("x")).toEqual(["x", 1]);
  expect(read.all("x")).toEqual([["x", 1]]);
  expect(read.get("y")).toBeUndefined();
  expect(read.all("y")).toEqual([]);
});

test.each([["text"], [1.5], [null], [""], ["ü🎉"]])(
  "%j comes back as it was bound, also alone",
  (value: SqlValue) => {
    const opened = database();
    expect(opened.prepare("SELECT ?").get(value)).toEqual([value]);
  },
);

test.each([
  ["a boolean, which would end the process", [true]],
  ["an object", [{}]],
  ["undefined", [undefined]],
  ["a list", [["x"]]],
  ["a text that would be cut short", ["x\u0000y"]],
  ["too few", []],
  ["too many", ["x", "y"]],
])("a value that cannot be bound is rejected: %s", (_name, values) => {
  const statement = database().prepare("SELECT ?");
  expect(() => statement.get(...(values as never[]))).toThrow(TypeError);
  expect(() => statement.run(...(values as never[]))).toThrow(TypeError);
});

test("a transaction that throws is rolled back, and the next one works", () => {
  const opened = database();
  const insert = opened.prepare("INSERT INTO pair VALUES (?, ?)");
  const failing = () =>
    opened.transaction(() => {
      insert.run("x", 1);
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(opened.transaction(() => opened.prepare("SELECT count(*) FROM pair").get())).toEqual([0]);
});

test("a transaction within another one joins it", () => {
  const opened = database();
  const insert = opened.prepare("INSERT INTO pair VALUES (?, ?)");
  const failing = () =>
    opened.transaction(() => {
      opened.transaction(() => insert.run("x", 1));
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(opened.prepare("SELECT count(*) FROM pair").get()).toEqual([0]);
});

test("an SQLite error has a code, and no other error has one", () => {
  const opened = database();
  opened.exec("CREATE UNIQUE INDEX one ON pair (a)");
  const insert = opened.prepare("INSERT INTO pair VALUES (?, ?)");
  insert.run("x", 1);
  try {
    insert.run("x", 2);
    expect.unreachable();
  } catch (error) {
    expect(sqliteCode(error)).toBe("SQLITE_CONSTRAINT_UNIQUE");
  }
  expect(sqliteCode(new Error("no"))).toBeUndefined();
});
