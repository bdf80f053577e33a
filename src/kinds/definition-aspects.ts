/** Lists the aspects that definitions have but no facet reads. */

/** Aspects that people edit and that no facet reads. A deletion also removes them. */
export const unmanagedAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
