/** Adds hints to errors about options that users know from other tools. */

/** Options from other tools, each with a hint about the alternative in this program. */
const hints: Readonly<Record<string, { readonly on?: string; readonly hint: string }>> = {
  "--token": { hint: "There is no flag for the token; set DATAHUB_GMS_TOKEN instead." },
  "--environment": { hint: "Did you mean --env?" },
  "--yes": { on: "apply", hint: "Did you mean --auto-approve?" },
};

/**
 * Adds a hint to Commander's error if the unknown option belongs to a different tool. Removes the option's value from the error,
 * because the value may be a token.
 */
export function withHint(text: string, command?: string): string {
  const [first = "", option = ""] = /^error: unknown option '(--[a-z]+)(?:=[^']*)?'/.exec(text) ?? [];
  const known = Object.hasOwn(hints, option) ? hints[option] : undefined;
  if (!known || (known.on !== undefined && known.on !== command)) return text;
  return `error: unknown option '${option}'\n(${known.hint})${text.slice(first.length).replace(/^\n\(Did you mean [^\n]*\)/, "")}`;
}
