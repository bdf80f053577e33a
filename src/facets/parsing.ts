/** Defines the result of parsing a written value: the value and its references, or a refusal. */

import type { ProblemTable } from "../model/problem.ts";
import type { Member, Scalar } from "../model/state.ts";
import { fabrics } from "../model/urn-parts.ts";
import { type Urn, type UrnFault } from "../model/urn.ts";
import type { LinkFault } from "./link-fault.ts";

/** A URN in a manifest, and the entity type that it must have, as URNs spell it. */
export interface Reference {
  readonly urn: Urn;
  readonly entityType: string;
  /** The path from the written value to the URN, if the value contains more than the URN. */
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
  /** The caller adds the name of the field and a suggestion. */
  readonly args: Omit<ProblemTable[Code], "field" | "suggestion">;
  /** The path from the written value to the invalid value in it. */
  readonly at: readonly string[];
  /** The misspelled text, and the valid names. */
  readonly misspelt?: { readonly text: string; readonly names: readonly string[] };
}

/** The reason why a written value is invalid. */
export type Refusal = { readonly [Code in RefusalCode]: RefusalOf<Code> }[RefusalCode];

/** A written value in normal form, and its references. */
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
