/** Defines the state while a manifest's fields are read: the problems, references and inline entities found so far. */

import type { JsonObject } from "../../model/json.ts";
import type { Problem } from "../../model/problem.ts";
import type { WrittenReference } from "../../model/reference.ts";
import type { Urn } from "../../model/urn.ts";
import type { Checked } from "../schema/schema-problems.ts";

/** A mapping that was checked against a schema, and the names of its fields with errors. */
export interface CheckedFields {
  readonly checked: Checked;
  readonly bad: ReadonlySet<string>;
}

/**
 * A manifest whose fields are being read. `bad` contains the fields that do not match the schema, such as `owners` or
 * `columns/email`.
 */
export interface FieldReading extends CheckedFields {
  readonly problems: Problem[];
  /** The references in the values. The caller adds the entity that contains the references. */
  readonly references: WrittenReference[];
  /** The entities that are declared inline in lists. */
  readonly inline: InlineEntity[];
}

/** An entity that is declared inline in another entity's list. */
interface InlineEntity {
  readonly kind: string;
  readonly urn: Urn;
  readonly value: JsonObject;
  /** The offset at which the entity's mapping starts. */
  readonly start: number;
}

/** Creates the initial state for reading a manifest's fields. */
export function readingOf(checked: Checked, bad: ReadonlySet<string>, problems: Problem[]): FieldReading {
  return { checked, bad, problems, references: [], inline: [] };
}
