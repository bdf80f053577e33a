/** The findings in a text of Markdown, by line. */
export declare function lintProse(
  text: string,
): Promise<readonly { readonly line: number; readonly message: string }[]>;
