/**
 * Creates the hidden first line by which later runs recognize the tool's own issues and comments, and validates the name in this
 * line.
 */

/** Returns the marker as an HTML comment, which GitHub does not display. `name` must satisfy `isName`. */
export function markerOf(what: string, name: string): string {
  return `<!-- datahub-gitops ${what} ${name} -->`;
}

/** Whether a string is a valid name for a marker. A valid name cannot end the HTML comment. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/.test(text) && !text.includes("--");
}
