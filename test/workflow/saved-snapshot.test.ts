import { expect, test } from "vitest";
import { parseSnapshot, snapshotJson } from "../../src/workflow/saved-snapshot.ts";
import { type Snapshot, snapshotVersion } from "../../src/sync/snapshot/snapshot.ts";

const snapshot: Snapshot = {
  formatVersion: snapshotVersion,
  tool: "datahub-gitops/test",
  createdAt: "1970-01-01T00:00:00.000Z",
  target: "http://catalog",
  definitions: [{ type: "TAG", urns: ["urn:li:tag:pii"], softDeleted: [] }],
  entities: { "urn:li:tag:pii": { answers: { x: { entity: null, exists: true } } } },
} as unknown as Snapshot;
const saved = JSON.stringify(snapshotJson(snapshot));

test("a snapshot that was saved is read as it was", () => {
  expect(parseSnapshot(saved)).toEqual({ snapshot });
});

test.each([
  ["was edited", saved.replace('"exists":true', '"exists":false'), "edited"],
  ["is truncated", saved.slice(0, -9), "no-json"],
  ["is another document", '{"formatVersion":"1","changes":[]}', "foreign"],
  [
    "has another version",
    saved.replace(`"formatVersion":"${snapshotVersion}"`, '"formatVersion":"1"'),
    "other-version",
  ],
  ["is empty", "", "empty"],
  ["has another type at a place", saved.replace('"exists":true', '"exists":"yes"'), "invalid"],
])("a file that %s is a fault", (_, text, fault) => {
  expect(parseSnapshot(text)).toMatchObject({ fault });
});
