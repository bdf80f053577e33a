/** Defines the error for entities that a snapshot does not contain. */

/** The error for an entity that a snapshot does not contain. */
export const missingEntry = "it is not in the snapshot";
