/** Detects scrolls that never end. */

import type { Urn } from "../../model/urn.ts";

/** Number of pages allowed in addition to those that the entities need, because pages can be empty or short. */
const sparePages = 100;

/** The number at which the index may stop counting. The actual total can be larger. */
const maxCounted = 10_000;

/** A number of entities that no catalog is expected to exceed. */
const maxEntities = 100_000_000;

/** One page of a scroll, as the server returned it. */
interface AnsweredPage {
  readonly urns: readonly Urn[];
  readonly total: number;
}

/** Checks whether a scroll can still end. */
export interface ScrollLimit {
  /** Records a page and the next page's id. Returns an error message if no further page may be requested. */
  fault(page: AnsweredPage, next: string): string | undefined;
  /** Records that the following pages are smaller. */
  noteSmaller(): void;
}

/**
 * Creates a limit for one scroll. An empty page does not end a scroll, so a faulty server could return ids of further pages
 * endlessly. No id may occur twice. The number of pages may be at most twice the number that the counted entities need, plus 100.
 */
export function scrollLimit(): ScrollLimit {
  const ids = new Set<string>();
  const begins = new Set<Urn>();
  let pages = 0;
  let found = 0;
  let largestPage = 1;
  let largestTotal = 0;
  return {
    fault({ urns, total }, next) {
      if (ids.has(next)) return "it points to a page that was already read";
      ids.add(next);
      pages += 1;
      largestPage = Math.max(largestPage, urns.length);
      largestTotal = Math.max(largestTotal, total);
      const [first] = urns;
      // A page that begins with the same entity as an earlier page contains nothing new.
      if (first !== undefined && !begins.has(first)) {
        begins.add(first);
        found += urns.length;
      }
      const expected = largestTotal < maxCounted ? largestTotal : Math.max(largestTotal, found);
      const maxPages = 2 * Math.ceil(Math.min(expected, maxEntities) / largestPage) + sparePages;
      if (pages < maxPages) return undefined;
      return `the server reports only ${largestTotal} entities in total, but lists a further page after ${pages} pages; the server, or a gateway in front of it, is faulty`;
    },
    noteSmaller: () => {
      largestPage = 1;
    },
  };
}
