/** Lists the types of manifest ids that a shell can complete. */

/** The types of ids. Their names match the placeholders in the help. */
export const idTypes = ["policy", "rule", "entity"] as const;

/** A type of id that a shell can complete. */
export type IdType = (typeof idTypes)[number];
