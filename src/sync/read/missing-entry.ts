/** Defines the error for entities that are not in a snapshot. */

/** The error message for an entity that is not in the snapshot. */
export const missingEntry = "it is not in the snapshot";
