/** The type of a value that was found in YAML. A `fraction` is a number where an integer is expected. */
export type FoundType = "string" | "number" | "fraction" | "boolean" | "array" | "object" | "null";

/** The arguments of a code that has none. */
export type NoArgs = Readonly<Record<string, never>>;
