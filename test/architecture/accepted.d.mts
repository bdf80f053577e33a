/** The worst accepted value of a measure: none if its reason is not among the decisions. */
export declare function limitOf(name: string): number | undefined;
