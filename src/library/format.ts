/** The output formats. */
export const formats = ["text", "json", "markdown"] as const;

/** An output format. */
export type Format = (typeof formats)[number];
