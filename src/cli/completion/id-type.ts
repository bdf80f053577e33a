/** Lists the types of ids in manifests that a shell can complete. */

/** The types, as in the placeholders of the help. */
export const idTypes = ["policy", "rule", "entity"] as const;

/** One of `idTypes`. */
export type IdType = (typeof idTypes)[number];
