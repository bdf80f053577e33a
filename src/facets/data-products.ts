/** Defines the facets for the assets in a data product and the data products of an asset. Both declare the same edges. */

import { assetKinds, kindOf } from "../kinds/index.ts";
import { nonEmptyString } from "../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import { entityTypeOf, parseUrn, type Urn } from "../model/urn.ts";
import { answeredUrn, aspectIn, storedList } from "../model/answer.ts";
import { referencesSchema, referenceTo, setFacet } from "./build.ts";
import { probeFor } from "./capabilities.ts";
import { type Parsing, refuseUrn } from "./parsing.ts";

const aspect = "dataProductProperties";

/** The entity types that DataHub allows in a data product (DataProductAssociation.pdl). */
const memberTypes: readonly string[] = [
  ...assetKinds.map(({ entityType }) => entityType),
  "notebook",
  "mlFeature",
  "mlPrimaryKey",
];

/** The kinds of assets that a mapping in a manifest can identify by the parts of their URN. */
const mappedKinds = assetKinds.filter(({ asset }) => asset !== undefined);

/** The fields of such a mapping. */
const { urn: _, ...mappingFields } = Object.assign(
  {},
  ...mappedKinds.toReversed().map(({ fields }) => fields),
) as JsonObject;

/**
 * The assets in a data product. The facet is read from the aspect, because `DataProduct.entities` only searches the index. It is
 * also written to the aspect, because `batchSetDataProduct` refuses products without a domain, and because no other mutation can
 * add assets before DataHub 1.7. Fields that other clients set, such as `outputPort`, are kept.
 */
export const assets = setFacet({
  name: "assets",
  kinds: ["DataProduct"],
  schema: {
    type: "array",
    description:
      "The assets in the data product: URNs, or mappings with `platform`, `name` and, if needed, the other parts of the URN. `[]` means no assets.",
    examples: [
      [
        "urn:li:dashboard:(looker,revenue)",
        { platform: "snowflake", name: "prod.finance.invoices" },
        { kind: "Chart", platform: "looker", name: "revenue" },
      ],
      [],
    ],
    items: {
      if: { type: "object" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        type: "object",
        required: ["platform", "name"],
        properties: {
          kind: {
            enum: mappedKinds.map(({ name }) => name),
            default: "Dataset",
            description: "The kind of asset that the mapping identifies.",
            examples: ["Dataset", "Chart"],
          },
          ...mappingFields,
        },
        additionalProperties: false,
      },
      else: nonEmptyString,
    },
  },
  refersTo: memberTypes,
  relationship: "DataProductContains",
  wording: { gains: "joins", loses: "leaves" },
  parse: parseAsset,
  edges: {
    inverse: "data_products",
    exclusive: { unless: probeFor("several-data-products").flag },
  },
  aspects: () => [aspect],
  storedIn: () => aspect,
  observe: (aspects) => assetsIn(aspectIn(aspects, aspect)),
  editing: {
    aspect: () => aspect,
    edits: (_place, add, remove) => [
      {
        at: ["assets"],
        add: add.map((destinationUrn) => ({ element: { destinationUrn } })),
        remove: remove.map((destinationUrn) => ({ destinationUrn })),
        keys: { template: ["destinationUrn"] },
      },
    ],
  },
});

/** Declares the same edges as `assets`, but in the manifest of the asset. The tool shows and writes them as `assets`. */
export const dataProducts = setFacet({
  name: "data_products",
  kinds: assetKinds.map(({ name }) => name),
  schema: referencesSchema("dataProduct", "The data products that contain the asset", "invoicing"),
  ...referenceTo("dataProduct"),
  observe: () => [],
  add: () => [],
  remove: () => [],
});

function assetsIn(properties: JsonObject): readonly Urn[] {
  return storedList(properties["assets"], "the assets").map(({ destinationUrn: urn }) =>
    answeredUrn({ urn }, "an asset"),
  );
}

function parseAsset(written: Json): Parsing<Urn> {
  if (isJsonObject(written)) return parseMapping(written);
  const text = textOf(written);
  const result = parseUrn(text);
  if ("fault" in result) return refuseUrn(text, result.fault);
  const entityType = entityTypeOf(result.urn);
  if (!memberTypes.includes(entityType)) return refuseUrn(text, { reason: "entity-type", detail: "asset" });
  return { value: result.urn, references: [{ urn: result.urn, entityType }] };
}

function parseMapping({ kind = "Dataset", ...document }: JsonObject): Parsing<Urn> {
  const named = kindOf(textOf(kind));
  const result = named.urnOf(document);
  if ("fault" in result) return refuseUrn(textOf(document[result.field]), result.fault, [result.field]);
  return { value: result.urn, references: [{ urn: result.urn, entityType: named.entityType }] };
}
