import type { JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Urn } from "../../model/urn.ts";
import type { OpenDocument } from "../yaml/open-document.ts";
import type { PlacedValue } from "../yaml/parsed-document.ts";

/** How files are read that say less than manifests. */
export interface ImportOptions {
  /** Whether a business glossary gets hashes as ids, as with the option `enable_auto_id` of its ingestion source. */
  readonly enableAutoId: boolean;
  /** Which of several different entries of one id counts; without it they are a problem. */
  readonly keep?: "first" | "last" | undefined;
  /** By entity type, the known entities that a display name alone identifies: DataHub's readers look up some by it. */
  readonly named?: ReadonlyMap<string, ReadonlyMap<string, Urn>>;
}

/** A value that no manifest can declare. */
export interface LeftOut {
  readonly origin: Origin;
  /** What it is, as a message says it. */
  readonly what: string;
}

/** What a document of another format declares. */
export interface ImportReading {
  /** In the document, with the places of what they were made of. */
  readonly manifests: readonly PlacedValue<JsonObject>[];
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly Problem[];
}

/** A file format of another program. */
export interface ImportFormat {
  /** Identifies its schema, as the names of kinds do. */
  readonly name: string;
  /** What messages call an entry of it. */
  readonly noun: string;
  /** Whether a document is a list of entries; else it is one entry. */
  readonly isList: boolean;
  /** JSON Schema of an entry. */
  readonly schema: JsonObject;
  /** Whether a mapping is meant to be an entry, with or without errors. */
  matches(entry: JsonObject): boolean;
  /** What an entry that fits the schema declares. */
  read(document: OpenDocument, entry: PlacedValue<JsonObject>, options: ImportOptions): ImportReading;
}
