/** A number with its noun: "1 addition", "2 additions". */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}

/** The same with thousands separators: "12,345 changes". */
export function many(number: number, singular: string, plural = `${singular}s`): string {
  return `${numberText(number)} ${number === 1 ? singular : plural}`;
}

/** A number with thousands separators: 12,345. */
export function numberText(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
