/** Writes the hidden first line that identifies the tool's own issues and comments in later runs, and validates the name in it. */

/** Returns an HTML comment, which GitHub does not show. `name` must pass `isName`. */
export function markerOf(what: string, name: string): string {
  return `<!-- datahub-gitops ${what} ${name} -->`;
}

/** Whether a text is valid as a name in a marker. A valid name cannot close the marker. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/.test(text) && !text.includes("--");
}
