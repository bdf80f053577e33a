/** Adds hints to errors about options that users know from other tools. */

/** Other tools' options, each with a hint about this program's alternative. */
const hints: Readonly<Record<string, { readonly on?: string; readonly hint: string }>> = {
  "--token": { hint: "There is no flag for the token; set DATAHUB_GMS_TOKEN instead." },
  "--environment": { hint: "Did you mean --env?" },
  "--yes": { on: "apply", hint: "Did you mean --auto-approve?" },
};

/** Adds a hint to commander's error about another tool's option, and removes the option's value, which may be a token. */
export function withHint(text: string, command?: string): string {
  const [first = "", option = ""] = /^error: unknown option '(--[a-z]+)(?:=[^']*)?'/.exec(text) ?? [];
  const known = Object.hasOwn(hints, option) ? hints[option] : undefined;
  if (!known || (known.on !== undefined && known.on !== command)) return text;
  return `error: unknown option '${option}'\n(${known.hint})${text.slice(first.length).replace(/^\n\(Did you mean [^\n]*\)/, "")}`;
}
