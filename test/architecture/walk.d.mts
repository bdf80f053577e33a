type Walks = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Builds a checkout and follows the facts through it. */
export declare function walksOf(root: string): Promise<Walks>;

/** The numbers of walks that have accepted values, by name. */
export declare function measuresOfWalks(walks: Walks): Readonly<Record<string, number>>;
