/** Lists the formats that `import` reads. */

import { businessGlossary } from "./business-glossary.ts";
import { dataProductFile } from "./data-product.ts";
import { structuredPropertiesFile } from "./structured-properties.ts";
import type { ImportFormat } from "./format.ts";

/** The formats, in the order in which they are tried. A data product can also have terms, so glossaries come last. */
export const importFormats: readonly ImportFormat[] = [
  structuredPropertiesFile,
  dataProductFile,
  businessGlossary,
];
