/** Lists the formats that `import` reads. */

import { businessGlossary } from "./formats/business-glossary.ts";
import { dataProductFile } from "./formats/data-product.ts";
import { structuredPropertiesFile } from "./formats/structured-properties.ts";
import type { ImportFormat } from "./format.ts";

/** The formats, in the order of recognition. A data product can also have terms, so glossaries come last. */
export const importFormats: readonly ImportFormat[] = [
  structuredPropertiesFile,
  dataProductFile,
  businessGlossary,
];
