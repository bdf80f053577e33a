/** Lists the definition aspects that no facet reads. */

/** Aspects that users edit in DataHub. Deleting a definition also deletes these aspects. */
export const unmanagedAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
