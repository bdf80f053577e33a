/** A line that is not shown, by which a later run finds what this program wrote. `name` must be valid by `isName`. */
export function markerOf(what: string, name: string): string {
  return `<!-- datahub-gitops ${what} ${name} -->`;
}

/** Whether a text can be a name in a marker: it cannot end the marker. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/.test(text) && !text.includes("--");
}
