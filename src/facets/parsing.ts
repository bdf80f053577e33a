import type { ProblemTable } from "../model/problem.ts";
import type { Member, Scalar } from "../model/state.ts";
import { fabrics } from "../model/urn-parts.ts";
import { type Urn, type UrnFault } from "../model/urn.ts";
import type { LinkFault } from "./link-fault.ts";

/** A URN that a manifest refers to, with what it must be one of (in `entityType`'s spelling). */
export interface Reference {
  readonly urn: Urn;
  readonly entityType: string;
  /** The way from the written value to the part that refers, where that is not all of it. */
  readonly at?: readonly string[];
}

/** The codes of problems that a facet finds in one written value. */
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
  /** What the field is called and what was meant is added by who knows the manifest. */
  readonly args: Omit<ProblemTable[Code], "field" | "suggestion">;
  /** The way from the written value to the offending part. */
  readonly at: readonly string[];
  /** What was misspelt, and the names that it can be. */
  readonly misspelt?: { readonly text: string; readonly names: readonly string[] };
}

/** Why a written value cannot be taken. */
export type Refusal = { readonly [Code in RefusalCode]: RefusalOf<Code> }[RefusalCode];

/** A written value in normal form, with what it refers to. */
export interface Parsed<Value extends Member | Scalar = Member | Scalar> {
  readonly value: Value;
  readonly references: readonly Reference[];
  /** A warning about a value that is taken all the same. What the field is called is added by who knows the manifest. */
  readonly warning?:
    | { readonly code: LinkFault; readonly args: { readonly text: string } }
    | { readonly code: "looks-wrong"; readonly args: { readonly text: string; readonly expected: string } };
}

/** A written value that was taken, or why it was not. */
export type Parsing<Value extends Member | Scalar = Member | Scalar> =
  | Parsed<Value>
  | { readonly refusal: Refusal };

/** The refusal of a string that is not a URN of the expected type. */
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
