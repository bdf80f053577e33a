/** Defines the facet `deprecation`: whether an asset is deprecated, with an optional note, date and replacement. */

import { assetKinds } from "../kinds/index.ts";
import type { ScalarChange } from "../model/change.ts";
import { nonEmptyString } from "../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import type { FieldEdit } from "../model/operation.ts";
import { type Fields, isFields, type Scalar } from "../model/state.ts";
import { dateText, millisecondsOf } from "../model/text/date-text.ts";
import { entityTypeOf, parseUrn } from "../model/urn.ts";
import { malformed, aspectIn } from "../model/answer.ts";
import { mutation, scalarFacet } from "./build.ts";
import { featureOf } from "./capabilities.ts";
import type { Feature } from "./facet.ts";
import { type Parsing, type Reference, refuseUrn } from "./parsing.ts";

const aspect = "deprecation";

const withReplacement: Feature = featureOf("deprecation-replacements", "`replacement` in a deprecation");

/** The feature that is needed to deprecate a container. DataHub added it in the same release as `replacement`. */
const ofContainers: Feature = { ...withReplacement, what: "a deprecation on a container" };

/**
 * The deprecation of an asset. It is a single value, because `updateDeprecation` erases fields that the request omits
 * (UpdateDeprecationResolver.java). An asset is deprecated only if it has `deprecated: true`, regardless of other fields.
 */
export const deprecation = scalarFacet({
  name: "deprecation",
  kinds: assetKinds.filter(({ isDeprecatable }) => isDeprecatable).map(({ name }) => name),
  schema: {
    type: ["object", "string"],
    if: { type: "object" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      type: "object",
      properties: {
        note: {
          ...nonEmptyString,
          description: "The reason for the deprecation, and what to use instead.",
          examples: ["Use invoices_v2."],
        },
        decommission_time: {
          ...nonEmptyString,
          description:
            "When the asset will be removed: a date (midnight UTC), or a date and time with a time zone.",
          examples: ["2027-06-30"],
        },
        replacement: {
          ...nonEmptyString,
          description: "The URN of the asset to use instead. Requires DataHub 1.0 or later.",
          examples: ["urn:li:dataset:(urn:li:dataPlatform:snowflake,prod.finance.invoices_v2,PROD)"],
        },
      },
      additionalProperties: false,
    },
    description:
      "Marks the asset as deprecated. `{}` deprecates it without details. `none` removes the deprecation.",
    examples: [{ note: "Use invoices_v2.", decommission_time: "2027-06-30" }, {}, "none"],
  },
  privilege: { name: "EDIT_DEPRECATION_PRIVILEGE", title: "Edit Deprecation" },
  referringFields: ["replacement"],
  flag: "deprecated",
  isProse: true,
  readWhenDeclared: true,
  aspects: () => [aspect],
  storedIn: () => aspect,
  needs: (kind, value) => {
    if (kind === "Container") return ofContainers;
    return isFields(value) && value["replacement"] !== undefined ? withReplacement : undefined;
  },
  parse,
  observe: (aspects) => observed(aspectIn(aspects, aspect)),
  requests: ({ urn, after }) => [
    mutation("updateDeprecation", "UpdateDeprecationInput!", inputOf(urn, after)),
  ],
  editing: { aspect: () => aspect, edits },
});

function parse(written: Json): Parsing<Scalar> {
  if (!isJsonObject(written))
    return { refusal: { code: "wrong-type", args: { expected: "object", found: "string" }, at: [] } };
  const { note, decommission_time: time, replacement } = written;
  const fields: Record<string, string> = {};
  const references: Reference[] = [];
  // A YAML block scalar ends with a newline that is not part of the note.
  if (note !== undefined) fields["note"] = textOf(note).trimEnd() || textOf(note);
  if (time !== undefined) {
    const milliseconds = millisecondsOf(textOf(time));
    if (milliseconds === undefined)
      return { refusal: { code: "malformed-date", args: { text: textOf(time) }, at: ["decommission_time"] } };
    fields["decommission_time"] = dateText(milliseconds);
  }
  if (replacement !== undefined) {
    const result = parseUrn(textOf(replacement));
    if ("fault" in result) return refuseUrn(textOf(replacement), result.fault, ["replacement"]);
    fields["replacement"] = result.urn;
    references.push({ urn: result.urn, entityType: entityTypeOf(result.urn), at: ["replacement"] });
  }
  return { value: fields, references };
}

function observed(stored: JsonObject): Fields | null {
  if (stored["deprecated"] !== true) return null;
  const note = optional(stored, "note", "string");
  const time = optional(stored, "decommissionTime", "number");
  const replacement = optional(stored, "replacement", "string");
  return {
    ...(note && { note }),
    ...(time !== undefined && { decommission_time: timeText(time) }),
    ...(replacement !== undefined && { replacement }),
  };
}

function timeText(milliseconds: number): string {
  if (Number.isNaN(new Date(milliseconds).getTime()))
    throw malformed(`${aspect}.decommissionTime`, "is not a time");
  return dateText(milliseconds);
}

function optional(stored: JsonObject, field: string, type: "string"): string | undefined;
function optional(stored: JsonObject, field: string, type: "number"): number | undefined;
function optional(stored: JsonObject, field: string, type: "string" | "number"): Json | undefined {
  const value = stored[field] ?? undefined;
  if (value === undefined || typeof value === type) return value;
  throw malformed(`${aspect}.${field}`, `is not a ${type}`);
}

/** Builds the input of the mutation. It never refers to a column, because the server would deprecate the dataset instead. */
function inputOf(urn: string, value: Scalar): JsonObject {
  const { note, decommission_time: time, replacement } = isFields(value) ? value : {};
  return {
    urn,
    deprecated: isFields(value),
    ...(note !== undefined && { note }),
    ...(time !== undefined && { decommissionTime: millisecondsOf(String(time)) }),
    ...(replacement !== undefined && { replacement }),
  };
}

/** Builds the edits to the aspect, which requires `note` and `actor` (Deprecation.pdl). */
function edits({ urn, after }: ScalarChange): readonly FieldEdit[] {
  const { deprecated, note = "", decommissionTime = null, replacement = null } = inputOf(urn, after);
  const values: JsonObject = { deprecated, note, decommissionTime, replacement };
  return Object.entries(values).map(([field, value]) => ({
    at: [field],
    value: value ?? null,
    actor: "actor",
  }));
}
