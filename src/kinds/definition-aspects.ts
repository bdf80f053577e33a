/** The aspects of definitions that no facet reads. */

/** People edit these aspects. A deletion removes them, too. */
export const unmanagedAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
