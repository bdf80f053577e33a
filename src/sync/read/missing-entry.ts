/** The error of a read from a snapshot that does not contain the entity. */

/** The error for an entity that is not in a snapshot. */
export const missingEntry = "it is not in the snapshot";
