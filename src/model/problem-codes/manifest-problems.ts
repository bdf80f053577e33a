import type { UrnFault } from "../urn.ts";
import type { FoundType } from "./arguments.ts";

type FacetOf = {
  readonly kind: string;
  readonly urn: string;
  readonly facet: string;
};

/** The arguments of problems with the content of manifests, by code. */
export interface ManifestProblems {
  readonly "unknown-field": {
    readonly field: string;
    readonly in: string;
    readonly known?: readonly string[];
    readonly suggestion?: string | undefined;
  };
  readonly "missing-field": { readonly field: string; readonly in: string };
  readonly "null-value": {
    readonly field: string;
    readonly expected: string;
    readonly write?: string | undefined;
  };
  readonly "wrong-type": {
    readonly field: string;
    readonly expected: string;
    readonly found: FoundType;
    readonly write?: string | undefined;
  };
  readonly "unknown-value": {
    readonly field: string;
    readonly value: string;
    readonly allowed: readonly string[];
    readonly suggestion?: string | undefined;
  };
  readonly "invisible-character": { readonly field: string; readonly character: string };
  readonly "empty-text": { readonly field: string; readonly none?: string };
  readonly "empty-list": { readonly field: string };
  readonly "empty-mapping": { readonly field: string };
  readonly "match-by-facet": { readonly field: string; readonly known: readonly string[] };
  readonly "match-not-of-kind": { readonly field: string; readonly key: string; readonly kinds: string };
  readonly "misplaced-facets": { readonly fields: readonly string[]; readonly write: string };
  readonly "empty-rule": { readonly rule: string; readonly fields: readonly string[] };
  readonly "duplicate-rule": { readonly rule: string };
  readonly "unknown-rule": { readonly rule: string; readonly suggestion?: string | undefined };
  readonly "invalid-value": { readonly field: string; readonly reason: string };
  readonly "one-of-fields": {
    readonly field: string;
    readonly fields: readonly string[];
    readonly found: readonly string[];
  };
  readonly "missing-one-of": { readonly field: string; readonly fields: readonly string[] };
  readonly "out-of-range": {
    readonly field: string;
    readonly value: string;
    readonly minimum: number;
    readonly maximum?: number | undefined;
  };
  readonly "conflicting-fields": { readonly field: string; readonly other: string };
  readonly "cannot-be-unset": { readonly field: string };
  readonly "malformed-colour": { readonly text: string; readonly field: string };
  readonly "insecure-link": { readonly text: string; readonly field: string };
  readonly "looks-wrong": {
    readonly text: string;
    readonly expected: string;
    readonly field: string;
    readonly suggestion?: string | undefined;
  };
  readonly "private-link": { readonly text: string; readonly field: string };
  readonly "malformed-urn": {
    readonly text: string;
    readonly reason: Exclude<UrnFault["reason"], "entity-type">;
    readonly detail?: string;
    readonly field: string;
    readonly suggestion?: string | undefined;
  };
  readonly "wrong-reference": { readonly text: string; readonly expected: string; readonly field: string };
  readonly "unknown-ownership-type": {
    readonly text: string;
    readonly field: string;
    readonly suggestion?: string | undefined;
  };
  readonly "custom-ownership-type": { readonly text: string; readonly field: string };
  readonly "duplicate-entity": { readonly kind: string; readonly urn: string };
  readonly "duplicate-facet": FacetOf & { readonly column?: string };
  readonly "conflicting-modes": FacetOf;
  readonly "duplicate-element": { readonly field: string; readonly element: string };
  readonly "cyclic-domains": { readonly cycle: readonly string[] };
  readonly "contradicting-membership": {
    readonly user: string;
    readonly group: string;
    readonly by: "user" | "group";
  };
  readonly "undeclared-reference": {
    readonly kind: string;
    readonly id: string;
    readonly times: number;
    /** The ids of the declared entities that have what was written as display name. */
    readonly named?: readonly string[] | undefined;
    readonly suggestion?: string | undefined;
  };
  readonly "undeclared-references": {
    readonly kind: string;
    readonly count: number;
    readonly ids: readonly string[];
  };
  readonly "ignored-value": {
    readonly urn: string;
    readonly facet: string;
    readonly column?: string;
    readonly value: string;
    readonly reason: string;
  };
  readonly "ignored-facet": { readonly urn: string; readonly facet: string; readonly reason: string };
  readonly "ignored-entity": { readonly urn: string; readonly kind: string; readonly reason: string };
}
