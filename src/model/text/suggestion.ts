/** Suggests the name that a misspelled one probably means. */

/** The maximum number of letters to compare: about a thousand candidates for a long text, many more for a short one. */
const maxLetters = 200_000;

/** The maximum length of names that are compared. */
const maxNameLength = 200;

/** The minimum length for one wrong letter. In a shorter text none may be wrong, but a third letter may be missing. */
const shortest = 3;

/** Returns the nearest candidate within a few letters. If there are very many, compares only the first. */
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

/** Returns the nearest candidate, or one that contains the text. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  return nearestSpelling(text, candidates) ?? partialMatch(text, candidates);
}

/** The minimum length of a name's part that leads to a suggestion. */
const minLetters = 3;

/** Returns a name whose last part equals the text, or otherwise any name that contains it. */
function partialMatch(text: string, names: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < minLetters) return undefined;
  const containing = names.filter((name) => name.toLowerCase().includes(wanted));
  return containing.find((name) => /[^./]*$/.exec(name.toLowerCase())?.[0] === wanted) ?? containing[0];
}

/** Returns the text without differences in case and word separators. */
function normal(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

/** Computes the Damerau-Levenshtein distance (optimal string alignment) up to a limit, in time proportional to the length. */
function distanceOf(a: string, b: string, limit: number): number {
  const far = Number.POSITIVE_INFINITY;
  const width = 2 * limit + 1;
  let beforeLast: readonly number[] = [];
  // The middle of a row is the diagonal. The cell above is one to the right in the previous row.
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
