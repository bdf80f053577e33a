/** Adds numbers, and formats them with nouns and thousands separators. */

/** Formats a number with its noun: "1 addition", "2 additions". */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** Formats a number with thousands separators and its noun: "12,345 changes". */
export function countedText(number: number, singular: string, plural = `${singular}s`): string {
  return `${numberText(number)} ${number === 1 ? singular : plural}`;
}

/** Adds numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Formats a number with thousands separators: 12,345. */
export function numberText(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/**
 * Returns a sentence, with a leading space, about the number of entities that the token may not view. Returns an empty string if
 * there are none.
 */
export function restrictedText(number: number): string {
  if (number === 0) return "";
  return ` ${countedText(number, "entity", "entities")} ${number === 1 ? "is" : "are"} restricted: this token may not view ${number === 1 ? "it" : "them"}.`;
}
