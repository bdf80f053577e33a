import { expect, test } from "vitest";
import type { Change, FacetChange, ScalarChange, SetChange } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/report.ts";
import { writtenBy } from "../../../src/plan/base/written.ts";
import { datasetNamed } from "../../support/states.ts";

const tags: SetChange = {
  action: "update",
  shape: "set",
  kind: "Dataset",
  urn: datasetNamed("a"),
  facet: "tags",
  add: ["a", "b"],
  remove: ["x", "y"],
  fingerprint: "",
};

const operation = (change: Change, parts: Partial<Operation> = {}): Operation => ({
  id: "1",
  request: { type: "mutation", field: "addTags", args: [] },
  locks: [],
  after: [],
  changes: [change],
  ...parts,
});

const applied = (parts?: Partial<Operation>): Outcome => ({
  status: "applied",
  operation: operation(tags, parts),
});

const error = "failed";
const adds = { adds: tags.add };
const removes = { removes: tags.remove };

interface Row {
  readonly outcomes: readonly Outcome[];
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

const rows: Readonly<Record<string, Row>> = {
  "what was applied": { outcomes: [applied()], add: ["a", "b"], remove: ["x", "y"] },
  "not what failed": {
    outcomes: [applied(adds), { status: "failed", operation: operation(tags, removes), error }],
    add: ["a", "b"],
    remove: [],
  },
  "not what was skipped or stale": {
    outcomes: [
      { status: "stale", operation: operation(tags, adds), because: "" },
      { status: "skipped", operation: operation(tags, removes), because: "" },
    ],
    add: [],
    remove: [],
  },
  "of what was found undone in part the rest": {
    outcomes: [
      {
        status: "failed",
        operation: operation(tags),
        error,
        expected: ["a", "b"],
        found: ["a", "x"],
      },
    ],
    add: ["a"],
    remove: ["y"],
  },
  "nothing of a failure whose elements an older report does not name": {
    outcomes: [applied(), { status: "failed", operation: operation(tags), error }],
    add: [],
    remove: [],
  },
};

test.each(Object.entries(rows))("a run wrote %s", (_, { outcomes, add, remove }) => {
  const { changed } = writtenBy({ outcomes });

  expect(
    changed.map((change) => ("add" in change ? { add: change.add, remove: change.remove } : {})),
  ).toEqual(add.length + remove.length === 0 ? [] : [{ add, remove }]);
});

test("an entity was created where one of its first writes was applied, and deleted where its deletion was", () => {
  const entity = { shape: "entity", kind: "Tag", urn: "urn:li:tag:a", fingerprint: "" } as unknown as Change;
  const created = { ...entity, action: "create" } as Change;
  const deleted = { ...entity, action: "delete" } as Change;

  const written = writtenBy({
    outcomes: [
      { status: "failed", operation: operation(created), error },
      { status: "applied", operation: operation(created) },
      { status: "failed", operation: operation({ ...tags, action: "create" }), error },
      { status: "failed", operation: operation({ ...deleted }), error },
    ],
  });

  expect(written).toEqual({
    changed: [],
    created: [{ urn: "urn:li:tag:a", kind: "Tag", changes: [] }],
    deleted: [],
    removed: [],
  });
});

const described: ScalarChange = {
  action: "update",
  shape: "scalar",
  kind: "Dataset",
  urn: datasetNamed("a"),
  facet: "description",
  before: "old",
  after: "new",
  fingerprint: "",
};

test("a single value is written where one of the operations that write it was applied", () => {
  const failed = (change: Change): Outcome => ({ status: "failed", operation: operation(change), error });
  const done = (change: Change): Outcome => ({ status: "applied", operation: operation(change) });
  const other = { ...described, facet: "domain" };

  expect(writtenBy({ outcomes: [failed(described), done(described), failed(other)] })).toEqual({
    changed: [described],
    created: [],
    deleted: [],
    removed: [],
  });
});

test("of what failed and was found done in part, only the elements of its own operation are written", () => {
  const found = ["a", "x", "b"];
  const half = (parts: Partial<Operation>): Outcome => ({
    status: "failed",
    operation: operation(tags, parts),
    error,
    expected: [],
    found,
  });

  const { changed } = writtenBy({
    outcomes: [half(adds), half({ removes: ["x"] }), half({ removes: ["y"] })],
  });

  expect(changed).toEqual([{ ...tags, add: ["a", "b"], remove: ["y"] }]);
});

test("values that an entity was created with belong to it, and others to what was there", () => {
  const given = (urn: FacetChange["urn"], action: "create" | "update"): ScalarChange => ({
    ...described,
    urn,
    action,
  });
  const [a, b] = [datasetNamed("a"), datasetNamed("b")];
  const changes = [given(a, "create"), given(b, "create"), given(a, "update")] as const;
  const removed: Change = { action: "delete", shape: "entity", kind: "Dataset", urn: b, fingerprint: "" };

  const outcomes = [...changes, removed].map((change): Outcome => ({
    status: "applied",
    operation: operation(change),
  }));

  expect(writtenBy({ outcomes })).toEqual({
    changed: [changes[2]],
    created: [
      { urn: a, kind: "Dataset", changes: [changes[0]] },
      { urn: b, kind: "Dataset", changes: [changes[1]] },
    ],
    deleted: [removed],
    removed: [],
  });
});
