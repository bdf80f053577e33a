/** Suggests the correct name for a misspelled one. */

/** The maximum number of letters to compare: enough for about a thousand long names, and for many more short names. */
const maxLetters = 200_000;

/** The maximum length of a name that is compared. */
const maxNameLength = 200;

/** Names may differ by a letter only if the longer name has at least this many letters. Shorter names must be equal. */
const shortest = 3;

/**
 * Returns the candidate that is closest to the text, if they differ by only a few letters. If there are very many candidates,
 * only the first of them are compared.
 */
export function nearestSpelling(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = normal(text);
  if (wanted === "" || wanted.length > maxNameLength) return undefined;
  let letters = 0;
  let best: string | undefined;
  let least = Math.min(3, Math.floor(Math.max(wanted.length, shortest) / 3)) + 1;
  for (const candidate of candidates) {
    const other = normal(candidate);
    if (Math.abs(other.length - wanted.length) >= least) continue;
    if (wanted.length < shortest && other.length < shortest && other !== wanted) continue;
    letters += wanted.length;
    if (letters > maxLetters) break;
    const distance = distanceOf(wanted, other, least);
    if (distance < least || (distance === least && best !== undefined && candidate < best)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Returns the candidate with the closest spelling, or otherwise a candidate that contains the text. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  return nearestSpelling(text, candidates) ?? partialMatch(text, candidates);
}

/** The minimum length of a string that can match part of a name. */
const minLetters = 3;

/** Returns a name whose last part equals the text, or otherwise the first name that contains the text. */
function partialMatch(text: string, names: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < minLetters) return undefined;
  const containing = names.filter((name) => name.toLowerCase().includes(wanted));
  return containing.find((name) => /[^./]*$/.exec(name.toLowerCase())?.[0] === wanted) ?? containing[0];
}

/** Normalizes case and removes word separators. */
function normal(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

/** Computes the Damerau-Levenshtein distance (optimal string alignment) up to a limit, in time proportional to text length. */
function distanceOf(a: string, b: string, limit: number): number {
  const far = Number.POSITIVE_INFINITY;
  const width = 2 * limit + 1;
  let beforeLast: readonly number[] = [];
  // Each row contains only the cells near the diagonal, which is in the middle. The cell above is therefore at `at + 1`.
  let last: readonly number[] = Array.from({ length: width }, (_, at) => (at < limit ? far : at - limit));
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    for (let at = 0; at < width; at++) {
      const j = i + at - limit;
      if (j < 1 || j > b.length) {
        row.push(j === 0 ? i : far);
        continue;
      }
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[at + 1] ?? far) + 1,
        (row[at - 1] ?? far) + 1,
        (last[at] ?? far) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[at] ?? far) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return far;
    beforeLast = last;
    last = row;
  }
  return last[b.length - a.length + limit] ?? far;
}
