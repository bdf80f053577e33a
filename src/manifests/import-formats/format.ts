/** Defines the interface of import formats: their schemas, how to recognize them, and how to read an entry. */

import type { JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Urn } from "../../model/urn.ts";
import type { OpenDocument } from "../yaml/open-document.ts";
import type { PlacedValue } from "../yaml/parsed-document.ts";

/** Options for formats with less information than manifests. */
export interface ImportOptions {
  /** Whether a business glossary gets hashes as ids, like with the option `enable_auto_id` of its ingestion source. */
  readonly enableAutoId: boolean;
  /** The entry that counts if several different entries have one id; if absent, such entries are a problem. */
  readonly keep?: "first" | "last" | undefined;
  /**
   * The known entities with a unique display name, by entity type and name: DataHub's readers accept display names for some
   * references.
   */
  readonly named?: ReadonlyMap<string, ReadonlyMap<string, Urn>>;
}

/** A value that a manifest cannot declare. */
export interface LeftOut {
  readonly origin: Origin;
  /** The value in words, for messages. */
  readonly what: string;
}

/** The manifests from an entry, with left-out values and problems. */
export interface ImportReading {
  /** The manifests, added to the document with the places of their sources. */
  readonly manifests: readonly PlacedValue<JsonObject>[];
  readonly leftOut: readonly LeftOut[];
  readonly problems: readonly Problem[];
}

/** A file format of another program. */
export interface ImportFormat {
  /** The name of the schema, which differs from the names of all kinds. */
  readonly name: string;
  /** The noun for an entry in messages. */
  readonly noun: string;
  /** Whether a document is a list of entries; otherwise it is one entry. */
  readonly isList: boolean;
  /** JSON Schema of an entry. */
  readonly schema: JsonObject;
  /** Whether a mapping is intended as an entry, with or without errors. */
  matches(entry: JsonObject): boolean;
  /** Reads an entry that fits the schema. */
  read(document: OpenDocument, entry: PlacedValue<JsonObject>, options: ImportOptions): ImportReading;
}
