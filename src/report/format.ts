/** The output formats of each kind of result. */

/** The output formats of plans, drift, reports, problems and failures. */
export const formats = ["text", "json", "markdown", "html", "sarif", "junit", "gitlab"] as const;

/** An output format. */
export type Format = (typeof formats)[number];

/** The output formats of explanations. */
export const explanationFormats = ["text", "json"] as const satisfies readonly Format[];

/** An output format of explanations. */
export type ExplanationFormat = (typeof explanationFormats)[number];

/** The output formats of lists of entities. */
export const listFormats = ["text", "csv", "json", "markdown"] as const;

/** An output format of a list. */
export type ListFormat = (typeof listFormats)[number];

/** The output formats of counts of entities. */
export const coverageFormats = [...listFormats, "html"] as const;

/** An output format of counts. */
export type CoverageFormat = (typeof coverageFormats)[number];
