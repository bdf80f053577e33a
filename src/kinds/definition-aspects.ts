/** Lists the aspects of definitions that no facet reads. */

/** Aspects that people edit. A deletion also removes them. */
export const unmanagedAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
