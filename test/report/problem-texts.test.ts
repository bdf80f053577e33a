import { expect, test } from "vitest";
import type { Problem, ProblemCode, ProblemTable } from "../../src/model/problem.ts";
import { messageOf } from "../../src/report/problems.ts";

const urn = "urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)";
const tag = "urn:li:tag:pii";
const group = "urn:li:corpGroup:finance";
const user = "urn:li:corpuser:alice";
const ref = "refs/datahub-gitops/applied";
const column = { urn, column: "emial", candidates: ["email", "id"] };
const owner = { field: "owners[0]", text: "x" };

/** Arguments of every code, with one row for each form of its message. */
const samples: { readonly [Code in ProblemCode]: readonly ProblemTable[Code][] } = {
  "no-directory": [{ dir: "catalog" }],
  "not-a-directory": [{ dir: "catalog" }],
  "no-manifests": [
    { dir: "catalog", files: 0 },
    { dir: "catalog", files: 2 },
  ],
  "no-records": [{}],
  unreadable: [{ reason: "EACCES" }, { reason: "EIO" }],
  "no-regular-file": [{}],
  "repeated-folder": [{ target: "catalog/a" }],
  "binary-file": [{}],
  "other-encoding": [{ encoding: "UTF-16" }],
  "not-utf8": [{ byte: "0xE4" }],
  "control-character": [{ character: "U+0007" }, { character: "U+000D" }],
  "too-deep": [{ limit: 100 }],
  "link-outside": [{}],
  "too-large": [{ megabytes: 10 }],
  "yaml-syntax": [
    { reason: "TAB_AS_INDENT", detail: "Tabs are not allowed" },
    { reason: "NOT_CLOSED", detail: "[" },
    { reason: "UNEXPECTED_TOKEN", detail: "Unexpected scalar" },
  ],
  "merge-conflict": [{}],
  "duplicate-key": [{ key: "id" }],
  "unknown-alias": [{ alias: "owners" }],
  "alias-in-itself": [{ alias: "owners" }],
  "too-many-aliases": [{ limit: 100_000 }],
  "unknown-tag": [{ tag: "!secret" }],
  "bad-tagged-value": [{ tag: "!!int", text: "x" }],
  "bad-merge": [{}],
  "complex-key": [{}],
  "empty-key": [{}],
  "not-a-manifest": [{ found: "string" }, { found: "null" }],
  "not-a-record": [{ found: "array" }],
  "missing-kind": [{ known: ["Dataset", "Tag"] }, { known: ["Dataset", "Tag"], near: "knd" }],
  "unknown-kind": [{ kind: "Table", known: ["Dataset", "Tag"] }],
  "unknown-field": [
    { field: "tag", in: "Dataset", known: ["domain", "tags"] },
    { field: "usr", in: "owners[0]" },
    { field: "policies", in: "settings", known: ["version", "manage"] },
  ],
  "missing-field": [
    { field: "id", in: "User" },
    { field: "version", in: "settings" },
  ],
  "null-value": [
    { field: "tags[1]", expected: "element" },
    { field: "color_hex", expected: "comment", write: 'color_hex: "#C0392B"' },
    { field: "id", expected: "identity" },
    { field: "tags", expected: "array", write: "tags: []" },
    { field: "columns", expected: "object" },
    { field: "domain", expected: "string", write: "domain: none" },
    { field: "urn", expected: "string" },
  ],
  "wrong-type": [
    { field: "id", expected: "string", found: "number" },
    { field: "tags", expected: "array", found: "string" },
    { field: "max_count", expected: "integer", found: "fraction" },
  ],
  "unknown-value": [
    { field: "env", value: "PRDO", allowed: ["DEV", "PROD"] },
    { field: "env", value: "PRDO", allowed: ["DEV", "PROD"], suggestion: "PROD" },
  ],
  "empty-text": [{ field: "id" }, { field: "domain", none: "domain: none" }],
  "invalid-value": [{ field: "id", reason: "must match a format" }],
  "one-of-fields": [
    { field: "owners[0]", fields: ["user", "group"], found: [] },
    { field: "owners[0]", fields: ["user", "group"], found: ["user", "group"] },
  ],
  "missing-one-of": [{ field: "ignore[0]", fields: ["value", "urn"] }],
  "out-of-range": [
    { field: "max_percent", value: "130", minimum: 0, maximum: 100 },
    { field: "max_count", value: "-1", minimum: 0 },
  ],
  "conflicting-fields": [{ field: "name", other: "urn" }],
  "cannot-be-unset": [{ field: "name" }],
  "malformed-colour": [{ text: "red", field: "color_hex" }],
  "insecure-link": [{ text: "http://x/a.png", field: "picture_link" }],
  "malformed-urn": [
    { text: "x", field: "urn", reason: "prefix" },
    { text: "x ", field: "urn", reason: "white-space" },
    { text: "urn:li:tag:", field: "urn", reason: "empty-key" },
    { text: "a(", field: "urn", reason: "brackets" },
    { text: "aaa", field: "urn", reason: "length" },
    { text: "urn:li:dataset:x", field: "urn", reason: "dataset-parts" },
    { text: urn, field: "urn", reason: "platform", detail: "kafka" },
    { text: urn, field: "urn", reason: "fabric", detail: "PRDO" },
  ],
  "wrong-reference": [{ text: user, expected: "corpGroup", field: "owners[0].group" }],
  "unknown-ownership-type": [{ ...owner, text: "OWNER" }],
  "custom-ownership-type": [{ ...owner, text: "CUSTOM" }],
  "duplicate-entity": [{ kind: "Tag", urn: tag }],
  "duplicate-facet": [
    { kind: "Tag", urn: tag, facet: "description" },
    { kind: "Dataset", urn, facet: "columns.tags", column: "email" },
  ],
  "conflicting-modes": [{ kind: "Tag", urn: tag, facet: "description" }],
  "duplicate-element": [{ field: "tags", element: tag }],
  "cyclic-selection": [{ cycle: ["urn:li:domain:a", "urn:li:domain:b", "urn:li:domain:a"] }],
  "cyclic-domains": [{ cycle: ["urn:li:domain:a", "urn:li:domain:b", "urn:li:domain:a"] }],
  "contradicting-membership": [
    { user, group, by: "user" },
    { user, group, by: "group" },
  ],
  "undeclared-reference": [
    { kind: "Tag", id: "piii", times: 1 },
    { kind: "Tag", id: "piii", times: 3 },
    { kind: "Tag", id: "Personal data", times: 1, named: ["pii"], suggestion: "pii" },
  ],
  "undeclared-references": [{ kind: "Tag", count: 7, ids: ["a", "b", "c", "d", "e"] }],
  "ignored-value": [{ urn, facet: "tags", value: tag, reason: "owned by dbt" }],
  "ignored-facet": [{ urn, facet: "tags", reason: "owned by dbt" }],
  "ignored-entity": [{ urn: tag, kind: "Tag", reason: "owned by dbt" }],
  "not-settings": [{}],
  "several-settings": [{}],
  "base-ref": [{ text: "-x" }],
  "urn-pattern": [{ field: "ignore[0].value", text: "pii", write: tag }],
  "server-address": [{ text: "datahub" }],
  "server-credentials": [{}],
  "environment-name": [{ name: "my prod" }],
  "environment-base": [{ text: "main" }],
  "same-base": [{ text: ref }],
  "unmatched-path": [{ pattern: "prod", dir: "catalog", write: "prod/*" }],
  "outside-environments": [{ environments: ["dev", "prod"] }],
  "base-without-environment": [{ ref, environment: "prod", commit: "0123456789ab" }],
  "base-no-git": [{ ref }],
  "base-no-repository": [{ ref }],
  "base-no-commits": [{ ref }],
  "base-ambiguous": [{ ref: "v1", names: ["refs/heads/v1", "refs/tags/v1"] }],
  "base-missing": [{ ref }, { ref: "v1" }, { ref: "v1", clone: "shallow" }],
  "base-without-catalog": [{ ref, dir: "catalog" }],
  "base-link": [{ ref, file: "catalog/a.yaml", what: "link" }],
  "base-sparse": [{ ref, file: "catalog/a.yaml", count: 2 }],
  "base-invalid": [
    {
      ref,
      commit: "0123456789ab",
      count: 1,
      first: "duplicate-key",
      file: "catalog/a.yaml",
      line: 3,
      column: 1,
    },
  ],
  "base-unreadable": [{ ref, words: "bad object" }],
  "changed-since-no-git": [{ ref }],
  "changed-since-no-repository": [{ ref }],
  "changed-since-no-commits": [{ ref }],
  "changed-since-ambiguous": [{ ref: "v1", names: ["refs/heads/v1", "refs/tags/v1"] }],
  "changed-since-missing": [{ ref: "main" }, { ref: "main", clone: "shallow" }],
  "changed-since-link": [{ ref: "main", file: "catalog", what: "link" }],
  "changed-since-unreadable": [{ ref: "main", words: "bad object" }],
  "base-no-merge-base": [{ ref: "main" }],
  "changed-since-no-merge-base": [{ ref: "main" }],
  "asset-missing": [{ kind: "Dataset", urn }],
  "asset-removed": [{ kind: "Dataset", urn }],
  "column-unknown": [column],
  "column-ambiguous": [column],
  "column-twice": [column],
  "no-schema": [{ ...column, candidates: [] }],
  "several-values": [
    { kind: "Dataset", urn, facet: "domain", values: ["urn:li:domain:a", "urn:li:domain:b"] },
  ],
  "deleted-reference": [{ urn: tag }],
  "deleted-value": [
    { urn: tag, on: urn, facet: "tags" },
    { urn: tag, on: urn, facet: "columns.tags", column: "email" },
  ],
  "deletion-ignored": [{ urn: tag, reason: "owned by dbt" }],
  "deletion-held": [{ urns: [tag] }, { urns: [tag, group] }],
  "reference-missing": [
    { urn: tag, what: "Tag", id: "pii" },
    { urn: tag, what: "Tag" },
    { urn: "urn:li:tag:Personal %28EU%29", what: "Tag", named: ["pii"], suggestion: "pii" },
    { urn: "urn:li:ownershipType:Architect", what: "ownership type", named: ["a", "b"] },
  ],
  "reference-removed": [{ urn: tag, what: "Tag" }],
  "external-group": [{ urn: group }],
  "external-membership": [{ urn: group, users: [user] }],
  "membership-skipped": [
    { urn: user, what: "User", state: "absent" },
    { urn: user, what: "User", state: "soft-deleted" },
    { urn: "urn:li:corpuser:Alice Doe", what: "User", state: "absent", named: ["alice"] },
  ],
  "not-in-snapshot": [{ urn }],
  "read-failed": [{ urn, error: "timed out" }],
};

test("every message reads as written down", async () => {
  const lines = Object.entries(samples).flatMap(([code, each]) =>
    each.map((args) => `${code}: ${messageOf({ code, severity: "warning", args } as Problem)}`),
  );

  expect(lines.filter((line) => line.includes("undefined"))).toEqual([]);
  await expect(`${lines.toSorted().join("\n")}\n`).toMatchFileSnapshot("expected/messages.txt");
});
