import type { Urn } from "../../model/urn.ts";

/** Pages that may come beside those that the entities need: pages can be empty, or short. */
const sparePages = 100;

/** From here on the index may not count: `total` is at least so many. */
const maxCounted = 10_000;

/** More entities than this are not expected of any catalog. */
const maxEntities = 100_000_000;

/** One page of a scroll, as it was answered. */
interface AnsweredPage {
  readonly urns: readonly Urn[];
  readonly total: number;
}

/** Watches whether a scroll can still be one that ends. */
export interface ScrollLimit {
  /** Notes a page and the id of the next one. Returns what is wrong, in words, where no further page can be asked for. */
  fault(page: AnsweredPage, next: string): string | undefined;
  /** Notes that pages are smaller from now on. */
  noteSmaller(): void;
}

/**
 * A limit for one scroll: an empty page does not end it, so a server could name another page forever. No id may come twice, and
 * there may be at most twice as many pages as the counted entities need, and 100.
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
      if (ids.has(next)) return "it names a page again that was read before";
      ids.add(next);
      pages += 1;
      largestPage = Math.max(largestPage, urns.length);
      largestTotal = Math.max(largestTotal, total);
      const [first] = urns;
      // A page that begins like an earlier one brings nothing new.
      if (first !== undefined && !begins.has(first)) {
        begins.add(first);
        found += urns.length;
      }
      const expected = largestTotal < maxCounted ? largestTotal : Math.max(largestTotal, found);
      const most = 2 * Math.ceil(Math.min(expected, maxEntities) / largestPage) + sparePages;
      if (pages < most) return undefined;
      return `the server names another page after ${pages} pages, but counts ${largestTotal} in all; this is a fault of the server, or of a gateway before it`;
    },
    noteSmaller: () => {
      largestPage = 1;
    },
  };
}
