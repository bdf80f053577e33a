/** Defines the interface for import formats: their schemas, how to recognize them, and how to read an entry. */

import type { JsonObject } from "../../model/json.ts";
import type { Origin } from "../../model/origin.ts";
import type { Problem } from "../../model/problem.ts";
import type { Urn } from "../../model/urn.ts";
import type { OpenDocument } from "../yaml/open-document.ts";
import type { PlacedValue } from "../yaml/parsed-document.ts";

/** Options for importing files. They provide information that the files do not contain. */
export interface ImportOptions {
  /** Whether glossary entries get hashed ids, as with the ingestion source's `enable_auto_id` option. */
  readonly enableAutoId: boolean;
  /** The entry to use if several different entries have the same id. If absent, such entries are reported as problems. */
  readonly keep?: "first" | "last" | undefined;
  /**
   * The entities with a unique display name, keyed by entity type and then by name. DataHub's readers accept display names for
   * some references.
   */
  readonly named?: ReadonlyMap<string, ReadonlyMap<string, Urn>>;
}

/** A value that a manifest cannot declare. */
export interface LeftOut {
  readonly origin: Origin;
  /** A description of the value, for messages. */
  readonly what: string;
}

/** A document that is being imported. Its formats add manifests, problems and left-out values. */
export interface Importing extends ImportOptions {
  readonly document: OpenDocument;
  readonly problems: Problem[];
  readonly leftOut: LeftOut[];
}

/** Another program's file format. */
export interface ImportFormat {
  /** The name of the format's schema. The name must differ from the names of all kinds. */
  readonly name: string;
  /** The noun for an entry in messages. */
  readonly noun: string;
  /** Whether a document is a list of entries. If not, the document is a single entry. */
  readonly isList: boolean;
  /** The JSON Schema for an entry. */
  readonly schema: JsonObject;
  /** Whether a mapping is intended as an entry in this format, even if it has errors. */
  matches(entry: JsonObject): boolean;
  /** Converts an entry that has passed the schema check to manifests, and adds their source positions to the document. */
  read(importing: Importing, entry: PlacedValue<JsonObject>): readonly PlacedValue<JsonObject>[];
}
