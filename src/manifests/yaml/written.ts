import type { Json, JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Source } from "./source.ts";

/** The offsets of a value in its file. For an element of a list, `key` is the offset of the element. */
export interface Place {
  readonly key: number;
  readonly value: number;
  readonly end: number;
  /** Whether the value is a plain scalar: neither quoted nor a block. */
  readonly plain: boolean;
}

export type Places = ReadonlyMap<string, Place>;

/** A YAML document as plain data, with the places of its values. */
export interface Written {
  readonly source: Source;
  readonly root: Json;
  readonly rootPlace: Place;
  readonly ofMapping: ReadonlyMap<JsonObject, Places>;
  readonly ofList: ReadonlyMap<readonly Json[], readonly Place[]>;
}

/** The places of the values of a mapping, by key. */
export function placesIn(written: Written, mapping: JsonObject): Places {
  return written.ofMapping.get(mapping) ?? new Map();
}

/** An offset as file, line and column. */
export function originIn(written: Written, offset: number): Origin {
  return written.source.originAt(offset);
}

/** The source text of a value. A long text is cut. */
export function sourceAt(written: Written, { value, end }: Place): string {
  return written.source.text.slice(value, Math.min(end, value + 200));
}
