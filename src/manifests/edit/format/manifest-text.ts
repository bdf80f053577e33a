/** Writes new manifests in canonical formatting. */

import type { JsonObject } from "../../../model/json.ts";
import { treeFrom } from "../tree.ts";
import { orderedFields } from "./field-order.ts";
import { printedDocuments } from "./print.ts";

/** A manifest as plain data. `null` unsets a single value. */
export interface PlainManifest {
  readonly data: JsonObject;
  /** The comments next to values and list elements, keyed by JSON pointer, such as `/domain` or `/owners/0`. */
  readonly comments?: ReadonlyMap<string, string>;
}

/** Returns the text of a file that contains these manifests. */
export function manifestText(manifests: readonly PlainManifest[]): string {
  return printedDocuments(
    manifests.map(({ data, comments }) => ({
      above: [],
      value: orderedFields(treeFrom(data, comments), data),
      beside: [],
    })),
  );
}
