/** The candidate that was probably meant: the nearest, when it is near enough to be a slip of the fingers. */
export function closest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = normal(text);
  if (wanted === "" || wanted.length > 200) return undefined;
  let best: string | undefined;
  let least = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const other = normal(candidate);
    if (Math.abs(other.length - wanted.length) >= least) continue;
    const distance = distanceOf(wanted, other, least);
    if (distance < least || (distance === least && best !== undefined && candidate < best)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Spelling that does not count: case, and what separates words. */
function normal(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

/** Damerau-Levenshtein distance (optimal string alignment), given up once no row can end below `limit`. */
function distanceOf(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > limit) return Number.POSITIVE_INFINITY;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? Number.POSITIVE_INFINITY;
}
