/** Options that people know from other tools, and what stands for them here. */
const hints: Readonly<Record<string, { readonly on?: string; readonly hint: string }>> = {
  "--token": { hint: "There is no flag for the token: set DATAHUB_GMS_TOKEN." },
  "--environment": { hint: "Did you mean --env?" },
  "--yes": { on: "apply", hint: "Did you mean --auto-approve?" },
};

/**
 * What commander says of an error, and of an option that does not exist here, but elsewhere, what to use instead. A value
 * of such an option is left out: it may be a token.
 */
export function withHint(text: string, command?: string): string {
  const [first = "", option = ""] = /^error: unknown option '(--[a-z]+)(?:=[^']*)?'/.exec(text) ?? [];
  const known = Object.hasOwn(hints, option) ? hints[option] : undefined;
  if (!known || (known.on !== undefined && known.on !== command)) return text;
  return `error: unknown option '${option}'\n(${known.hint})${text.slice(first.length).replace(/^\n\(Did you mean [^\n]*\)/, "")}`;
}
