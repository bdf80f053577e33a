import { businessGlossary } from "./formats/business-glossary.ts";
import { dataProductFile } from "./formats/data-product.ts";
import { structuredPropertiesFile } from "./formats/structured-properties.ts";
import type { ImportFormat } from "./format.ts";

/** The formats that `import` reads. A data product has terms, too, so a glossary comes after it. */
export const importFormats: readonly ImportFormat[] = [
  structuredPropertiesFile,
  dataProductFile,
  businessGlossary,
];
