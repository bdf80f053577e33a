import fc from "fast-check";
import { expect, test } from "vitest";
import { readDesired } from "../../src/manifests/documents/desired-state.ts";
import { sourceLines } from "../../src/manifests/yaml/source-lines.ts";
import { readSettings } from "../../src/manifests/settings/settings.ts";
import { problemsJson } from "../../src/report/document/problems.ts";
import { problemsPrinted } from "../report/print.ts";
import { withFiles } from "../support/manifest-files.ts";
import { counted, runsOf } from "../support/runs.ts";

const runs = runsOf(80);

const manifests = Buffer.from(`# A domain, and what belongs to it.
kind: Domain
id: finance
description: "Ledgers, invoices: treasury."
parent_domain: corporate
owners: [{ group: finance-data }]
---
- kind: User
  id: alice@acme.com
  groups: [finance-data]
- &group
  kind: Group
  id: finance-data
  members: [alice@acme.com, { id: bob@acme.com, display_name: 'Bob 🦆' }]
---
kind: Dataset
platform: snowflake
name: prod.finance.invoices
env: PROD
platform_instance: eu
domain: none
owners: &owners
  - { group: finance-data, type: TECHNICAL_OWNER }
  - { user: alice@acme.com, type: DATA_STEWARD }
tags: [tier-1, finance, !!str 00123]
columns:
  customer.email: { tags: [pii] }
  "[version=2.0].[type=string].name": &column
    tags: []
  other: { <<: *column, tags: [a] }
---
kind: Container
urn: urn:li:container:0a1b2c
description_: |
  text
   of several lines
`);

type Edit = (bytes: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (bytes: Buffer, share: number) => Math.floor(share * bytes.length);

const splice = (from: number, to: number, insert: Buffer): Edit => {
  return (bytes) =>
    Buffer.concat([
      bytes.subarray(0, at(bytes, from)),
      insert,
      bytes.subarray(Math.max(at(bytes, to), at(bytes, from))),
    ]);
};

const onLines = (edit: (lines: string[], pick: number) => string[], share: number): Edit => {
  return (bytes) => {
    const lines = bytes.toString("latin1").split("\n");
    return Buffer.from(edit(lines, Math.floor(share * lines.length)).join("\n"), "latin1");
  };
};

const tokens = [
  "[",
  "]",
  "{",
  "}",
  ": ",
  "- ",
  "? ",
  "*a",
  "&a ",
  "!x ",
  "<<: *column",
  "\t",
  "\n",
  "'",
  '"',
  "|\n",
  "#",
  "---\n",
  "%",
  "~",
  "\0",
  "\r",
  "\uFEFF",
  "urn:li:tag:",
  "(",
  ",",
];

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, place).map(([from, to]) => splice(from, to, Buffer.alloc(0))),
  fc.tuple(place, fc.constantFrom(...tokens)).map(([from, token]) => splice(from, from, Buffer.from(token))),
  fc
    .tuple(place, fc.uint8Array({ maxLength: 4 }))
    .map(([from, bytes]) => splice(from, from, Buffer.from(bytes))),
  fc
    .tuple(place, fc.constantFrom(...tokens), fc.nat(200))
    .map(([from, token, times]) => splice(from, from, Buffer.from(token.repeat(times)))),
  place.map((share) => onLines((lines, pick) => [...lines.slice(0, pick), ...lines.slice(pick + 1)], share)),
  place.map((share) =>
    onLines((lines, pick) => [...lines.slice(0, pick), lines[pick] ?? "", ...lines.slice(pick)], share),
  ),
  place.map((share) => onLines((lines, pick) => [...lines.slice(pick), ...lines.slice(0, pick)], share)),
  fc
    .tuple(place, fc.nat(9))
    .map(([share, indent]) =>
      onLines(
        (lines, pick) =>
          lines.map((line, index) => (index === pick ? " ".repeat(indent) + line.trim() : line)),
        share,
      ),
    ),
);

test(
  "whatever is done to good manifests, the answer is a problem with a file or a desired state, and no longer than what was written",
  counted,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
        const bytes = edits.reduce<Buffer>((before, apply) => apply(before), manifests);
        await withFiles({ "catalog/a.yaml": bytes, "catalog/datahub-gitops.yaml": bytes }, async (cwd) => {
          const { problems, state } = await readDesired("catalog", { cwd });
          const settings = await readSettings(undefined, "catalog", { cwd });
          const all = [...problems, ...settings.problems];
          const text = problemsPrinted(all, { lineOf: sourceLines(cwd), width: 60 });
          // The bytes are read twice, and of nothing it is said that it is nothing.
          expect(all.length).toBeLessThanOrEqual(2 * (bytes.length + 1));
          expect(text.length).toBeLessThanOrEqual(all.length * 2000);
          expect(problemsJson(all, sourceLines(cwd))).toHaveLength(all.length);
          expect(state.size > 0 || problems.length > 0).toBe(true);
          expect(
            all.every(({ origin }) => origin !== undefined && origin.line >= 1 && origin.column >= 1),
          ).toBe(true);
          expect(text === "" || text.includes("catalog")).toBe(true);
          expect(text).not.toMatch(/undefined|\[object|NaN|\n {4}at /);
        });
      }),
      { numRuns: runs },
    );
  },
);
