/** The aspects of definitions that people edit and no facet of theirs reads. */
export const otherAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
