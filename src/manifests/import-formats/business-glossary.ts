/** Converts business glossaries (`business_glossary.yml`) into manifests. */

import { appendTo } from "../../model/append.ts";
import { type Json, type JsonObject, textOf } from "../../model/json.ts";
import { addMapping } from "../yaml/open-document.ts";
import type { PlacedValue, SourcePlace } from "../yaml/parsed-document.ts";
import { environmentVariables } from "./environment-variables.ts";
import {
  domainIn,
  hasSome,
  isFilled,
  isGiven,
  leaveOut,
  mappingsIn,
  placeOf,
  setIn,
  textIn,
  urnFor,
} from "./field-values.ts";
import type { ImportFormat, Importing } from "./format.ts";
import { idOfPath } from "./glossary-ids.ts";
import { ownersIn } from "./glossary-owners.ts";
import { glossarySchema } from "./glossary-schema.ts";

/**
 * The import format for business glossaries, with the same ids and defaults as DataHub's ingestion source
 * (metadata-ingestion/src/datahub/ingestion/source/metadata/business_glossary.py).
 */
export const businessGlossary: ImportFormat = {
  name: "BusinessGlossary",
  noun: "business glossary",
  isList: false,
  schema: glossarySchema,
  // Excludes dbt's `manifest.json`, which has both `nodes` and `metadata`.
  matches: (root) => hasSome(root, ["nodes", "terms"]) && !hasSome(root, ["kind", "metadata"]),
  read: (importing, { value: root }) => {
    appendTo(importing.problems, environmentVariables(importing.document));
    return manifestsIn(importing, root);
  },
};

type Fields = Readonly<Record<string, PlacedValue | undefined>>;

function manifestsIn(importing: Importing, root: JsonObject): readonly PlacedValue<JsonObject>[] {
  const { document } = importing;
  const entries = entriesBelow(importing, root, { path: "", owners: ownersIn(importing, root) });
  const defaults: Fields = {
    term_source: termSourceIn(importing, root, "source_type"),
    source_ref: textIn(document, root, "source"),
    source_url: textIn(document, root, "url"),
  };
  const urns = urnsByName(entries);
  return entries.map((entry) => {
    const { kind, fields, place, path, urn: id, parent, owners } = entry;
    for (const field of ["custom_properties", "knowledge_links"])
      if (isFilled(fields[field])) leaveOut(importing, fields, field, `${field} of ${path}`);
    const common = { kind: { value: kind, place }, id, name: textIn(document, fields, "name") };
    const own =
      kind === "GlossaryTerm"
        ? termFields(importing, fields, defaults, urns)
        : { description: textIn(document, fields, "description") };
    return { value: addMapping(document, { ...common, parent_node: parent, owners, ...own }), place };
  });
}

/** A node or term in the file. */
interface Entry {
  readonly kind: "GlossaryNode" | "GlossaryTerm";
  readonly fields: JsonObject;
  readonly place: SourcePlace;
  /** The names of the entry's parent nodes and the entry's own name, separated by dots. */
  readonly path: string;
  readonly urn: PlacedValue<string>;
  /** The parent node's URN. */
  readonly parent: PlacedValue | undefined;
  /** The entry's own owners, or else the owners of the nearest parent node, or else the file's owners. */
  readonly owners: PlacedValue | undefined;
}

/** The values that entries inherit from their parent. */
interface Above {
  readonly owners: Entry["owners"];
  readonly path: Entry["path"];
  readonly urn?: Entry["urn"];
}

/**
 * Returns the terms at a level, followed by the level's nodes, each with all entries below it. If two entries have the same path,
 * the last entry takes precedence.
 */
function entriesBelow(importing: Importing, level: JsonObject, above: Above): readonly Entry[] {
  const { document } = importing;
  const terms = mappingsIn(document, level["terms"]);
  const nodes = mappingsIn(document, level["nodes"]);
  return [
    ...terms.map((term) => entryOf(importing, "GlossaryTerm", term, above)),
    ...nodes.flatMap((node) => {
      const entry = entryOf(importing, "GlossaryNode", node, above);
      return [entry, ...entriesBelow(importing, node.value, entry)];
    }),
  ];
}

function entryOf(
  importing: Importing,
  kind: Entry["kind"],
  { value: fields, place }: PlacedValue<JsonObject>,
  above: Above,
): Entry {
  const { document } = importing;
  const name = textOf(fields["name"] ?? "");
  const path = above.urn ? `${above.path}.${name}` : name;
  const id = textIn(document, fields, "id");
  const urn = id ? urnFor(id.value, prefixes[kind]) : prefixes[kind] + idOfPath(path, importing.enableAutoId);
  const at = id?.place ?? placeOf(document, fields, "name") ?? place;
  const owners = ownersIn(importing, fields) ?? above.owners;
  return { kind, fields, place, path, urn: { value: urn, place: at }, parent: above.urn, owners };
}

const prefixes = { GlossaryNode: "urn:li:glossaryNode:", GlossaryTerm: "urn:li:glossaryTerm:" } as const;

/** Maps paths to URNs, as the ingestion source does, and also maps the ids of terms to URNs. Terms take precedence over nodes. */
function urnsByName(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const terms = entries.filter(({ kind }) => kind === "GlossaryTerm");
  const nodes = entries.filter(({ kind }) => kind === "GlossaryNode");
  return new Map([
    ...terms.map(({ fields, urn }) => [textOf(fields["id"] ?? ""), urn.value] as const),
    ...[...nodes, ...terms].map(({ path, urn }) => [path, urn.value] as const),
  ]);
}

/** Reads the fields that only terms have. `urns` contains the URNs that terms can refer to. */
function termFields(
  importing: Importing,
  fields: JsonObject,
  defaults: Fields,
  urns: ReadonlyMap<string, string>,
): Fields {
  const { document, enableAutoId } = importing;
  const urnOf = (value: Json): string => {
    const name = textOf(value);
    return urns.get(name) ?? urnFor(name, prefixes.GlossaryTerm, (path) => idOfPath(path, enableAutoId));
  };
  const related = ["inherits", "contains", "values", "related_terms"].map(
    (field) => [field, setIn(document, fields, field, urnOf)] as const,
  );
  return {
    definition: textIn(document, fields, "description"),
    term_source: isGiven(fields["term_source"])
      ? termSourceIn(importing, fields, "term_source")
      : defaults["term_source"],
    source_ref: textIn(document, fields, "source_ref") ?? defaults["source_ref"],
    source_url: textIn(document, fields, "source_url") ?? defaults["source_url"],
    domain: domainIn(importing, fields),
    ...Object.fromEntries(related),
  };
}

/** Returns the term source if manifests allow it. DataHub stores any string, but manifests allow only two values. */
function termSourceIn(importing: Importing, fields: JsonObject, field: string): PlacedValue | undefined {
  const [value, place] = [fields[field], placeOf(importing.document, fields, field)];
  if (!isGiven(value) || !place) return undefined;
  if (value === "INTERNAL" || value === "EXTERNAL") return { value, place };
  const what = `${field} ${JSON.stringify(value)}, which is neither INTERNAL nor EXTERNAL`;
  leaveOut(importing, fields, field, what);
  return undefined;
}
