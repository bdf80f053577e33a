/** Converts data product files, as used by `datahub dataproduct upsert`, into manifests. */

import { isJsonObject, type JsonObject, textOf } from "../../model/json.ts";
import { text, textOrNull } from "../../model/schema-parts.ts";
import { encodePart } from "../../model/urn.ts";
import { addMapping, type OpenDocument } from "../yaml/open-document.ts";
import type { PlacedValue } from "../yaml/parsed-document.ts";
import { domainIn, hasSome, isFilled, leaveOut, placeOf, setIn, textIn, urnFor } from "./field-values.ts";
import type { ImportFormat } from "./format.ts";
import { ownerField, ownershipTypeOf, ownerUrn, userPrefix } from "./owner-values.ts";

const texts: JsonObject = { type: ["array", "null"], items: text };

const schema: JsonObject = {
  type: "object",
  required: ["id", "domain"],
  properties: {
    id: { type: "string", minLength: 1 },
    domain: { type: "string", minLength: 1 },
    display_name: textOrNull,
    description: textOrNull,
    external_url: textOrNull,
    assets: texts,
    tags: texts,
    terms: texts,
    owners: {
      type: ["array", "null"],
      items: {
        if: { type: "object" },
        // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
        then: { required: ["id", "type"], properties: { id: text, type: text }, additionalProperties: false },
        else: text,
      },
    },
  },
};

const declaredFields = new Set(Object.keys(schema["properties"] as JsonObject));

/**
 * The import format for data products (metadata-ingestion/src/datahub/api/entities/dataproduct/dataproduct.py). As in DataHub's
 * CLI, unknown fields are not errors.
 */
export const dataProductFile: ImportFormat = {
  name: "DataProductFile",
  noun: "data product",
  isList: false,
  schema,
  matches: (root) =>
    hasSome(root, ["domain", "assets", "output_ports", "parent_data_product"]) &&
    !hasSome(root, ["kind", "version", "nodes"]),
  read: (importing, { value: fields, place }) => {
    const { document } = importing;
    const id = textIn(document, fields, "id") ?? { value: "", place };
    for (const [field, value] of Object.entries(fields))
      if (!declaredFields.has(field) && isFilled(value))
        leaveOut(importing, fields, field, `${field} of ${id.value}`);
    const manifest = addMapping(document, {
      kind: { value: "DataProduct", place },
      id: { ...id, value: urnFor(id.value, "urn:li:dataProduct:") },
      name: textIn(document, fields, "display_name"),
      description: textIn(document, fields, "description"),
      domain: domainIn(importing, fields),
      owners: ownersIn(document, fields),
      tags: setIn(document, fields, "tags", (tag) => urnFor(textOf(tag), "urn:li:tag:", encodePart)),
      glossary_terms: setIn(document, fields, "terms", (term) =>
        urnFor(textOf(term), "urn:li:glossaryTerm:"),
      ),
      assets: setIn(document, fields, "assets", textOf),
      external_url: textIn(document, fields, "external_url"),
    });
    return [{ value: manifest, place }];
  },
};

/** Reads the owners of a data product. An owner without a type is a technical owner. */
function ownersIn(document: OpenDocument, fields: JsonObject): PlacedValue | undefined {
  return setIn(document, fields, "owners", (value, at) => {
    const owner = isJsonObject(value) ? value : { id: value, type: "TECHNICAL_OWNER" };
    const urn = ownerUrn(textOf(owner["id"]), userPrefix);
    const type = {
      value: ownershipTypeOf(textOf(owner["type"])),
      place: placeOf(document, owner, "type") ?? at,
    };
    const member = { [ownerField(urn)]: { value: urn, place: placeOf(document, owner, "id") ?? at }, type };
    return addMapping(document, member);
  });
}
