import type { Json, JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Source } from "./source.ts";

/** Where one value stands: offsets of its key (of an element: of itself), of its first character, of its end. */
export interface Place {
  readonly key: number;
  readonly value: number;
  readonly end: number;
  /** A plain scalar: neither quoted nor a block. */
  readonly plain: boolean;
}

export type Places = ReadonlyMap<string, Place>;

/** A YAML document as plain data, with the places of all that stands in it. */
export interface Written {
  readonly source: Source;
  readonly root: Json;
  readonly rootPlace: Place;
  readonly ofMapping: ReadonlyMap<JsonObject, Places>;
  readonly ofList: ReadonlyMap<readonly Json[], readonly Place[]>;
}

/** The places in a mapping of this document. */
export function placesIn(written: Written, mapping: JsonObject): Places {
  return written.ofMapping.get(mapping) ?? new Map();
}

/** The origin of an offset in this document. */
export function originIn(written: Written, offset: number): Origin {
  return written.source.originAt(offset);
}

/** How a value is written; of a long one the beginning. */
export function sourceAt(written: Written, { value, end }: Place): string {
  return written.source.text.slice(value, Math.min(end, value + 200));
}
