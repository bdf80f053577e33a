/** The texts of a TypeScript file that look like prose. */
export declare function textsIn(source: string): readonly { readonly line: number; readonly text: string }[];
