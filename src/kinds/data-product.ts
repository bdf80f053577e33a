/** Defines the kind for data products, which list their assets. */

import { identifiedById, typedOfDefinitions } from "./build.ts";
import type { Kind } from "./kind.ts";

export const dataProduct: Kind<"DataProduct"> = {
  name: "DataProduct",
  noun: "data product",
  plural: "data products",
  typename: "DataProduct",
  searchType: "DATA_PRODUCT",
  page: "dataProduct",
  lifecycle: "owned",
  softDeletable: true,
  ownable: true,
  displayName: "name",
  shell: {
    sign: "properties { numAssets }",
    typed: [...typedOfDefinitions, ["dataProductProperties", "properties { numAssets }"]],
  },
  storage: {
    name: ["dataProductProperties", "name"],
    description: ["dataProductProperties", "description"],
    external_url: ["dataProductProperties", "externalUrl"],
  },
  deletion: {
    mutation: "deleteDataProduct",
    privilege: { name: "MANAGE_DATA_PRODUCTS", title: "Manage Data Products" },
    // Nothing refers to a data product. Its asset list is deleted with it.
    relationships: [],
    searchFields: [],
    byDefault: true,
  },
  descriptions: {
    description: "Describes what the data product offers and who it is for. `none` removes the description.",
  },
  examples: {
    name: ["Invoicing"],
    description: ["Invoices and payments."],
    domain: ["finance", "none"],
    owners: [[{ group: "finance-data" }], []],
  },
  ...identifiedById("dataProduct", "data product", "invoicing"),
  // The aspect has no required fields (DataProductProperties.pdl).
  initial: () => ({ dataProductProperties: {} }),
  otherNames: { display_name: "name", terms: "glossary_terms" },
};
