/** The arguments of every problem code. Codes and arguments are public. */

import type { UrnFault } from "./urn.ts";

/** The type of a value in YAML. A `fraction` is a number in the place of an integer. */
export type FoundType = "string" | "number" | "fraction" | "boolean" | "array" | "object" | "null";

/** The arguments by code, read-only. An optional argument may be `undefined`. */
type Table<Codes> = { readonly [Code in keyof Codes]: Arguments<Codes[Code]> };

type Arguments<Args> = {
  readonly [Name in keyof Args]: Args[Name] extends string[] ? readonly string[] : Args[Name];
};

/** A code without arguments. */
type NoArgs = Record<string, undefined>;

/** The name that was probably meant. */
type Misspelled = { suggestion?: string | undefined };

/** The arguments of problems with files, folders and YAML, by code. */
export type FileProblems = Table<{
  "no-directory": { dir: string };
  "not-a-directory": { dir: string };
  "no-manifests": { dir: string; files: number };
  "no-records": NoArgs;
  "not-importable": { what?: string | undefined; use?: string | undefined };
  "environment-variable": { variable: string };
  unreadable: { reason: string };
  "no-regular-file": NoArgs;
  "link-outside": NoArgs;
  "too-large": { megabytes: number } | { tokens: number; line: number };
  "repeated-folder": { target: string };
  "binary-file": NoArgs;
  "other-encoding": { encoding: string };
  "not-utf8": { byte: string };
  "control-character": { character: string };
  "too-deep": { limit: number };
  "yaml-syntax": { reason: string; detail: string };
  "merge-conflict": NoArgs;
  "duplicate-key": { key: string };
  "unknown-alias": Misspelled & { alias: string };
  "alias-in-itself": { alias: string };
  "too-many-aliases": { limit: number };
  "unknown-tag": { tag: string };
  "bad-tagged-value": { tag: string; text: string };
  "bad-merge": NoArgs;
  "complex-key": NoArgs;
  "empty-key": NoArgs;
  "not-a-manifest": { found: FoundType };
  "not-a-record": { found: FoundType };
  "missing-kind": { known: string[]; near?: string; suggestion?: string };
  "unknown-kind": Misspelled & { kind: string; known: string[] };
}>;

type FacetOf = { kind: string; urn: string; facet: string };

/** The arguments of problems with the content of manifests, by code. */
export type ManifestProblems = Table<{
  "unknown-field": Misspelled & { field: string; in: string; known?: readonly string[] };
  "missing-field": { field: string; in: string };
  "null-value": { field: string; expected: string; write?: string | undefined };
  "wrong-type": { field: string; expected: string; found: FoundType; write?: string | undefined };
  "unknown-value": Misspelled & {
    field: string;
    value: string;
    found?: FoundType | undefined;
    allowed: string[];
  };
  "invisible-character": { field: string; character: string };
  "empty-text": { field: string; none?: string };
  "empty-list": { field: string };
  "empty-mapping": { field: string };
  "match-by-facet": { field: string; known: string[] };
  "match-not-of-kind": { field: string; key: string; kinds: string };
  "misplaced-facets": { fields: string[]; write: string };
  "empty-rule": { rule: string; fields: string[] };
  "duplicate-rule": { rule: string };
  "unknown-rule": Misspelled & { rule: string };
  "duplicate-policy": { policy: string };
  "unknown-policy": Misspelled & { policy: string };
  "bad-expression": { field: string; reason: string };
  "malformed-day": { field: string; text: string };
  "waiver-too-long": { policy: string; expires: string; days: number; latest: string };
  "waiver-expired": { policy: string; expires: string };
  "waiver-unused": { policy: string };
  "waiver-expires": { policy: string; expires: string; days: number };
  "invalid-value": { field: string; reason: string };
  "one-of-fields": { field: string; fields: string[]; found: string[] };
  "missing-one-of": { field: string; fields: string[] };
  "inexact-number": { field: string; value: string; nearest: string };
  "out-of-range": { field: string; value: string; minimum: number; maximum?: number | undefined };
  "conflicting-fields": { field: string; other: string };
  "cannot-be-unset": { field: string };
  "malformed-colour": { text: string; field: string };
  "malformed-date": { text: string; field: string };
  "malformed-url": { text: string; field: string };
  "insecure-link": { text: string; field: string };
  "looks-like-regex": { pattern: string };
  "looks-wrong": Misspelled & { text: string; expected: string; field: string };
  "private-link": { text: string; field: string };
  "malformed-urn": Misspelled & {
    text: string;
    reason: Exclude<UrnFault["reason"], "entity-type">;
    detail?: string;
    field: string;
  };
  "wrong-reference": { text: string; expected: string; field: string };
  "unknown-ownership-type": Misspelled & { text: string; field: string };
  "custom-ownership-type": { text: string; field: string };
  "duplicate-entity": { kind: string; urn: string; option?: string | undefined };
  "duplicate-facet": FacetOf & { column?: string };
  "conflicting-modes": FacetOf;
  "duplicate-element": { field: string; element: string };
  "parent-cycle": { cycle: string[] };
  /** `by`: the other entities of the cycle through which the entity contains itself. */
  "self-reference": { facet: string; kind: string; urn: string; by?: string[] };
  "same-name": { kind: string; urn: string; other: string; what: string; way: string };
  "contradicting-membership": { urn: string; facet: string; other: string; otherFacet: string };
  /** `named`: the ids of the declared entities with this display name. */
  "undeclared-reference": Misspelled & {
    kind: string;
    id: string;
    times: number;
    named?: readonly string[] | undefined;
  };
  "undeclared-references": { kind: string; count: number; ids: string[] };
  "ignored-value": { urn: string; facet: string; column?: string; value: string; reason: string };
  "ignored-facet": { urn: string; facet: string; reason: string };
  "ignored-entity": { urn: string; kind: string; reason: string };
}>;

/** The arguments of problems that only settings have, by code. */
export type SettingsProblems = Table<{
  "not-settings": NoArgs;
  "several-settings": NoArgs;
  "base-ref": { text: string };
  "urn-pattern": { field: string; text: string; write?: string };
  "server-address": { text: string };
  "server-credentials": NoArgs;
  "links-address": NoArgs;
  "environment-name": { name: string };
  "environment-base": { text: string };
  "same-base": { text: string };
  "runs-base": { text: string };
  "unmatched-path": { pattern: string; dir: string; write?: string };
  "outside-environments": { environments: string[] };
}>;

/** The arguments of git failures, by fault. */
type GitFaults = {
  "no-git": unknown;
  "no-repository": unknown;
  "no-commits": unknown;
  missing: { clone?: "shallow" };
  ambiguous: { names: string[] };
  link: { file: string; what: string };
  "no-merge-base": { clone?: "shallow" };
  unreadable: { words: string };
};

/** The arguments of reasons for an unknown base, by fault. */
type BaseFaults = GitFaults & {
  "without-catalog": { dir: string };
  "without-environment": { environment: string; commit: string };
  sparse: { file: string; count: number };
  invalid: { commit: string; count: number; first: string; file: string; line: number; column: number };
};

/** Codes are faults with a prefix: `base-missing`. The arguments of a problem also name the ref. */
type Prefixed<Prefix extends string, Faults> = Table<{
  [Name in keyof Faults & string as `${Prefix}-${Name}`]: { ref: string } & Faults[Name];
}>;

/** The arguments of problems with the last applied commit, by code. */
export type BaseProblems = Prefixed<"base", BaseFaults>;

/** The arguments of problems with a last applied commit that HEAD does not have in its history, by code. */
export type AheadProblems = Table<{
  "older-commit": { ref: string; commit: string; count: number };
  "diverged-commit": { ref: string; commit: string; count: number };
}>;

/** The arguments of problems with `--changed-since`, by code. */
export type ChangedSinceProblems = Prefixed<"changed-since", GitFaults>;

type Asset = { kind: string; urn: string };

type Column = Misspelled & { urn: string; column: string; candidates: string[] };

/** Both rules, or the one rule that clashes with documents, and one of the assets. */
type Clash = { facet: string; rules: string[]; urn: string; count: number };

/** `named`: the ids of the entities with this display name. */
type Reference = Misspelled & {
  urn: string;
  what: string;
  named?: readonly string[];
  /** The number of references, if there are several. */
  times?: number;
  /** The first of the other places: "file:line:column". */
  also?: readonly string[];
};

/** The arguments of problems that only the catalog shows, by code. */
export type LiveProblems = Table<{
  "asset-missing": Asset & { suggestion?: string };
  "asset-removed": Asset;
  "rule-conflict": Clash;
  "rule-modes": Clash;
  "rule-matches-nothing": { rule: string };
  "pattern-matches-nothing": { rule: string; pattern: string };
  "cyclic-selection": { cycle: string[] };
  "column-unknown": Column;
  "column-ambiguous": Column;
  "column-twice": Column;
  "no-schema": Column;
  /** The first value counts. */
  "several-values": Asset & { facet: string; values: string[] };
  /** `what` is missing on the server; `release` is the first one that has it. */
  "not-in-release": Asset & { facet: string; what: string; release: string };
  "policy-not-in-release": { policy: string; facet: string; what: string; release: string };
  "deleted-reference": { urn: string };
  "no-longer-declared": { urn: string };
  "deleted-parent": { urn: string; below: string[] };
  "deleted-value": { urn: string; on: string; facet: string; column?: string };
  "deletion-ignored": { urn: string; reason: string };
  "deletion-held": { urns: string[] };
  /** The id that a manifest would declare; absent if no manifest can declare the entity. */
  "reference-missing": Reference & { id?: string | undefined };
  "reference-removed": Reference;
  "external-group": { urn: string };
  "exclusive-membership": { urn: string; facet: string; groups: string[] };
  "external-membership": { urn: string; users: string[] };
  "membership-skipped": Reference & { state: "absent" | "soft-deleted" };
  "not-in-snapshot": { urn: string };
  "rule-not-in-snapshot": { rule: string };
  "ownership-unread": { urn: string; error: string };
  "read-failed": { urn: string; error: string; kind?: string };
  /** Like `read-failed`, but because the token may not view the entity. */
  restricted: { urn: string; error: string; kind?: string };
  /** The path names the place as a manifest does. */
  "unfit-value": Asset & { path: string; found: string; expected: string };
  "unremovable-value": Asset & { path: string };
  "unfit-entity": Asset & { definition: string; types: string[] };
  /** The number of entities with such values that the plan does not write again, and the first few. */
  "values-outdated": { urn: string; count?: number; on: string[] };
  "refused-change": Asset & { facet: string; reason: string; way: string };
  "rollback-held": Asset & {
    facet?: string;
    column?: string | undefined;
    reference?: string;
    /** The reason why the catalog would refuse it. */
    reason?: string;
    because:
      | "gone"
      | "moved"
      | "refused"
      | "column-gone"
      | "reference-gone"
      | "made-again"
      | "unknown-values"
      | "too-large"
      | "changed"
      | "in-use";
  };
  "rollback-keeps": { urns: string[] };
  /** `count`: the number of values, including this one. `commit` is that of the run. */
  "rollback-overruled": Asset & {
    facet?: string | undefined;
    column?: string | undefined;
    rule?: string;
    count?: number;
    commit?: string;
  };
}>;
