/** Collects values in imported files that no manifest can declare. */

import type { JsonObject } from "../../model/json.ts";
import { originIn, type ParsedDocument } from "../yaml/parsed-document.ts";
import { placeOf } from "./field-values.ts";
import type { LeftOut } from "./format.ts";

/** A function that records a field whose value no manifest can declare. */
export type LeaveOut = (fields: JsonObject, field: string, what: string) => void;

/** Creates an empty list for left-out values, and a function that adds values to the list. */
export function leftOutCollector(document: ParsedDocument): {
  readonly leftOut: readonly LeftOut[];
  readonly leaveOut: LeaveOut;
} {
  const leftOut: LeftOut[] = [];
  return {
    leftOut,
    leaveOut: (fields, field, what) => {
      const place = placeOf(document, fields, field) ?? document.rootPlace;
      leftOut.push({ origin: originIn(document, place.key), what });
    },
  };
}
