/** Lists the definition aspects that no facet reads. */

/** Definition aspects that users edit in DataHub, but not in manifests. They are deleted with the definition. */
export const unmanagedAspects: readonly string[] = [
  "deprecation",
  "displayProperties",
  "institutionalMemory",
  "structuredProperties",
];
