/** Lists the output formats for each kind of result. */

/** The output formats for plans, drift, reports, problems and failures. */
export const formats = ["text", "json", "markdown", "html", "sarif", "junit", "gitlab"] as const;

/** An output format. */
export type Format = (typeof formats)[number];

/** The output formats for explanations. */
export const explanationFormats = ["text", "json"] as const satisfies readonly Format[];

/** An output format for explanations. */
export type ExplanationFormat = (typeof explanationFormats)[number];

/** The output formats for entity lists. */
export const listFormats = ["text", "csv", "json", "markdown"] as const;

/** An output format for lists. */
export type ListFormat = (typeof listFormats)[number];

/** The output formats for entity counts. */
export const coverageFormats = [...listFormats, "html"] as const;

/** An output format for counts. */
export type CoverageFormat = (typeof coverageFormats)[number];
