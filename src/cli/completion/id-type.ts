/** What of the manifests at hand is completed by its id. */
export const idTypes = ["policy", "rule", "entity"] as const;

/** What an id is of. */
export type IdType = (typeof idTypes)[number];
