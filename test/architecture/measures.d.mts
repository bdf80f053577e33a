/** The measures of a checkout, by name. Less is better for each of them. */
export declare function measuresOf(root: string): Readonly<Record<string, number>>;
