/** Defines the result of parsing a value in a manifest: the value and its references, or the reason why it is refused. */

import type { ProblemTable } from "../model/problem.ts";
import type { Member, Scalar } from "../model/state.ts";
import { fabrics } from "../model/urn-parts.ts";
import { type Urn, type UrnFault } from "../model/urn.ts";
import type { LinkFault } from "./link-fault.ts";

/** A URN in a manifest, and the entity type that it must have, spelled as in URNs. */
export interface Reference {
  readonly urn: Urn;
  readonly entityType: string;
  /** The path to the URN in the written value, if the value contains more than the URN. */
  readonly at?: readonly string[];
}

type RefusalCode =
  | "malformed-urn"
  | "malformed-colour"
  | "malformed-date"
  | "malformed-url"
  | "wrong-reference"
  | "wrong-type"
  | "unknown-ownership-type"
  | "custom-ownership-type";

interface RefusalOf<Code extends RefusalCode> {
  readonly code: Code;
  /** The arguments of the problem. The caller adds the field name and a suggestion. */
  readonly args: Omit<ProblemTable[Code], "field" | "suggestion">;
  /** The path to the invalid part of the written value. */
  readonly at: readonly string[];
  /** The misspelled text, and the valid names to suggest. */
  readonly misspelt?: { readonly text: string; readonly names: readonly string[] };
}

/** The reason why a written value is invalid. */
export type Refusal = { readonly [Code in RefusalCode]: RefusalOf<Code> }[RefusalCode];

/** A parsed value in normal form, with its references. */
export interface Parsed<Value extends Member | Scalar = Member | Scalar> {
  readonly value: Value;
  readonly references: readonly Reference[];
  /** A warning about a valid value. The caller adds the field name. */
  readonly warning?:
    | { readonly code: LinkFault; readonly args: { readonly text: string } }
    | { readonly code: "looks-wrong"; readonly args: { readonly text: string; readonly expected: string } };
}

/** A parsed value, or the reason why it is invalid. */
export type Parsing<Value extends Member | Scalar = Member | Scalar> =
  | Parsed<Value>
  | { readonly refusal: Refusal };

/** Refuses a string that is not a URN of the expected type. */
export function refuseUrn(
  text: string,
  fault: UrnFault,
  at: readonly string[] = [],
): { readonly refusal: Refusal } {
  if (fault.reason === "entity-type") {
    return { refusal: { code: "wrong-reference", args: { text, expected: fault.detail ?? "" }, at } };
  }
  const { reason, detail } = fault;
  const args = { text, reason, ...(detail !== undefined && { detail }) };
  const misspelt = reason === "fabric" && detail !== undefined && { text: detail, names: fabrics };
  return { refusal: { code: "malformed-urn", args, at, ...(misspelt && { misspelt }) } };
}
