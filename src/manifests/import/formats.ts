import { businessGlossary } from "./formats/business-glossary.ts";
import type { ImportFormat } from "./format.ts";

/** The formats that `import` reads. */
export const importFormats: readonly ImportFormat[] = [businessGlossary];
