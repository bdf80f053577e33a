/** Starts the script of a page, which shows a searchable, filtered list of all entries and supports printing. */

import { countedText, numberText } from "../report/count.ts";
import type { PageEntry } from "../report/html/page-entry.ts";
import { maxEntriesWithoutScript } from "../report/html/templates.ts";
import { Finder } from "./find.ts";
import { WindowedList } from "./list.ts";
import { fragmentOf, queryIn, queryOf, type Query } from "./query.ts";
import { unpacked } from "./unpack.ts";

/** Replaces the first entries, which the page already contains, with a searchable list of all entries. */
async function start(form: HTMLFormElement, element: HTMLElement): Promise<void> {
  const packed = Array.from(
    document.querySelectorAll('script[type="application/octet-stream"]'),
    (each) => each.textContent,
  );
  const entries = await unpacked<PageEntry>(packed);
  const finder = new Finder(entries);
  const list = new WindowedList(element);
  const count = form.querySelector("output");

  const show = (query: Query): void => {
    const groups = finder.find(query);
    const found = new Set(groups.flatMap((group) => group.entries)).size;
    list.show(groups, query);
    if (count) count.textContent = countText(found, entries.length);
  };
  const fill = (query: Query): void => {
    for (const [name, value] of Object.entries(query)) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value;
    }
  };
  const change = (): void => {
    const query = queryOf(new FormData(form));
    // Stores the query in the URL fragment, which can also be changed on pages opened from a file.
    history.replaceState(null, "", fragmentOf(query) || location.pathname);
    show(query);
  };

  const initial = location.hash === "" ? queryOf(new FormData(form)) : queryIn(location.hash);
  fill(initial);
  show(queryOf(new FormData(form)));
  form.hidden = false;
  document.querySelector("#more")?.remove();
  form.addEventListener("input", change);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(change));
  window.addEventListener("hashchange", () => {
    fill(queryIn(location.hash));
    show(queryOf(new FormData(form)));
  });
  window.addEventListener("beforeprint", () => list.prepareForPrint(maxEntriesWithoutScript));
  focusSearchBy("/", form);
}

/** Opens all collapsed details before printing, and closes them afterwards. */
function openForPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    for (const each of closed) each.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });
}

/** As on GitHub, focuses the search box when `key` is pressed outside of a text field. */
function focusSearchBy(key: string, form: HTMLFormElement): void {
  document.addEventListener("keydown", (event) => {
    const isInField =
      event.target instanceof HTMLElement && event.target.closest("input, select, textarea") !== null;
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isInField) return;
    const search = form.elements.namedItem("search");
    if (!(search instanceof HTMLInputElement)) return;
    event.preventDefault();
    search.focus();
  });
}

function countText(found: number, total: number): string {
  const all = countedText(total, "entry", "entries");
  return found < total ? `${numberText(found)} of ${numberText(total)} entries` : all;
}

const form = document.querySelector<HTMLFormElement>("#filters");
const list = document.querySelector<HTMLElement>("#list");
if (form && list) void start(form, list).then(openForPrint);
else openForPrint();
