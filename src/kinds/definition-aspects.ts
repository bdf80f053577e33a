/** The aspects of definitions that no facet reads. */

/** People edit these aspects. A deletion removes them, too. */
export const otherAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
