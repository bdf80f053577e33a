/** Converts dates and times between text and milliseconds since 1970. */

const day = 86_400_000;

/** Matches a date (YYYY-MM-DD), or a time with its time zone (RFC 3339). */
const written = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/**
 * Formats a time in milliseconds since 1970. Returns a date if the time is midnight in UTC. Throws `RangeError` if the time is
 * out of range.
 */
export function dateText(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString();
  return milliseconds % day === 0 ? text.slice(0, 10) : text.replace(".000Z", "Z");
}

/**
 * Parses a date (as midnight in UTC) or a time with a time zone. Returns milliseconds since 1970, or `undefined` for any other
 * text.
 */
export function millisecondsOf(text: string): number | undefined {
  if (!written.test(text)) return undefined;
  const milliseconds = Date.parse(text.toUpperCase().replace(" ", "T"));
  if (Number.isNaN(milliseconds)) return undefined;
  // In a shorter month, `Date` interprets the 31st as a day in the next month.
  return isDay(text.slice(0, 10)) ? milliseconds : undefined;
}

/** Whether a string is a valid calendar date, such as `2027-01-31`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
