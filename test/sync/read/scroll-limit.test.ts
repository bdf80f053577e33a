import { expect, test } from "vitest";
import type { Urn } from "../../../src/model/urn.ts";
import { scrollLimit } from "../../../src/sync/read/scroll-limit.ts";
import { urn } from "../../support/states.ts";

interface ServedPage {
  readonly urns: readonly Urn[];
  readonly total: number;
}

const tag = (id: number | string): Urn => urn(`urn:li:tag:${id}`);

/** A page of so many tags that begins with this one. */
const tags = (size: number, first: Urn): readonly Urn[] =>
  Array.from({ length: size }, (_, index) => (index === 0 ? first : tag("next")));

/** How many pages a scroll may have of a server that always names a new one; at most as many as are served. */
function pagesOf(pageAt: (page: number) => ServedPage, served = 1_000): number {
  const limit = scrollLimit();
  let pages = 1;
  while (limit.fault(pageAt(pages), `${pages}`) === undefined && pages < served) pages += 1;
  return pages;
}

test("no page is read twice", () => {
  const limit = scrollLimit();
  expect(limit.fault({ urns: [tag("a")], total: 3 }, "1")).toBeUndefined();
  expect(limit.fault({ urns: [tag("b")], total: 3 }, "2")).toBeUndefined();
  expect(limit.fault({ urns: [tag("c")], total: 3 }, "1")).toBe("it points to a page that was already read");
});

test("a scroll that does not end is said to be one, with what the server counts", () => {
  const limit = scrollLimit();
  const faults = Array.from({ length: 106 }, (_, page) => limit.fault({ urns: [], total: 3 }, `${page}`));
  expect(faults.filter((fault) => fault !== undefined)).toEqual([
    "the server reports only 3 entities in total, but lists a further page after 106 pages; the server, or a gateway in front of it, is faulty",
  ]);
});

const fresh = (size: number, total: number) => (page: number) => ({ urns: tags(size, tag(page)), total });

test.each<readonly [string, (page: number) => ServedPage, number]>([
  ["nothing, of nothing", () => ({ urns: [], total: 0 }), 100],
  ["nothing, of 50", () => ({ urns: [], total: 50 }), 200],
  ["one each, of 50", fresh(1, 50), 200],
  ["ten each, of 50", fresh(10, 50), 110],
  ["ten each, of 51", fresh(10, 51), 112],
  ["ten once, of 50", (page) => ({ urns: tags(page === 3 ? 10 : 1, tag(page)), total: 50 }), 110],
  ["one each, of 50 that become fewer", (page) => ({ urns: tags(1, tag(page)), total: 51 - page }), 200],
  ["more than the 9,999 that are counted", fresh(100, 9_999), 300],
  ["the same of at least 10,000", () => ({ urns: tags(1_000, tag("a")), total: 10_000 }), 120],
  [
    "nothing of at least 10,000",
    (page) => ({ urns: tags(page === 1 ? 1_000 : 0, tag("a")), total: 10_000 }),
    120,
  ],
  ["two in turn of at least 10,000", (page) => ({ urns: tags(5_000, tag(page % 2)), total: 10_000 }), 104],
  ["others of at least 10,000", fresh(100, 10_000), 1_000],
])("a server that answers %s is asked for as many pages as that may need", (_, pageAt, expected) => {
  expect(pagesOf(pageAt)).toBe(expected);
});

test("a server that always answers others is asked for 100 million", () => {
  const urns = [...tags(10_000, tag("a"))];
  const pageAt = (page: number): ServedPage => {
    urns[0] = tag(page);
    return { urns, total: 10_000 };
  };
  expect(pagesOf(pageAt, 30_000)).toBe(20_100);
});
