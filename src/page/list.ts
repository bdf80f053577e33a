/** Shows a long list of entries. Only the rows near the viewport are kept in the document. */

import { html, render, type TemplateResult } from "lit-html";
import type { PageEntry } from "../report/html/page-entry.ts";
import { createTemplates } from "../report/html/templates.ts";
import { type Group, matchingFirst } from "./find.ts";
import { all, type Query } from "./query.ts";

const templates = createTemplates<TemplateResult>((strings, ...values) => html(strings, ...values), 1000);

/** The number of rows that are rendered together. */
const rowsInChunk = 50;

/** The estimated height of a row, in pixels, until the row is rendered. */
const expectedHeight = 96;

type Row = PageEntry | { readonly head: string; readonly entries: number };

/** A list that renders chunks of rows when they are near the viewport, and removes them when they are not. */
export class WindowedList {
  readonly #element: HTMLElement;
  readonly #chunks = new Map<Element, readonly Row[]>();
  readonly #observer = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) this.#show(target, isIntersecting);
    },
    { rootMargin: "1500px 0px" },
  );

  #query = all;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Replaces the displayed groups. */
  show(groups: readonly Group[], query: Query): void {
    this.#query = query;
    const rows = groups.flatMap(({ title, entries }): readonly Row[] =>
      title === "" ? entries : [{ head: title, entries: entries.length }, ...entries],
    );
    this.#observer.disconnect();
    this.#chunks.clear();
    for (let from = 0; from < rows.length; from += rowsInChunk) {
      const chunk = document.createElement("div");
      const chunkRows = rows.slice(from, from + rowsInChunk);
      chunk.style.height = `${chunkRows.length * expectedHeight}px`;
      this.#chunks.set(chunk, chunkRows);
    }
    const chunks = document.createDocumentFragment();
    for (const chunk of this.#chunks.keys()) chunks.append(chunk);
    this.#element.replaceChildren(chunks);
    // Renders the first chunk immediately, and each remaining chunk when it is near the viewport.
    const [first] = this.#chunks.keys();
    if (first) this.#show(first, true);
    for (const chunk of this.#chunks.keys()) this.#observer.observe(chunk);
  }

  /** Renders the first `maxRows` rows, because only rendered rows are printed. */
  prepareForPrint(maxRows: number): void {
    for (const chunk of [...this.#chunks.keys()].slice(0, maxRows / rowsInChunk)) this.#show(chunk, true);
  }

  #show(chunk: Element, isNear: boolean): void {
    if (!(chunk instanceof HTMLElement)) return;
    const isShown = chunk.childElementCount > 0;
    if (isNear && !isShown) {
      chunk.style.height = "";
      render(
        (this.#chunks.get(chunk) ?? []).map((row) => this.#templateOf(row)),
        chunk,
      );
    } else if (
      !isNear &&
      isShown &&
      !chunk.contains(document.activeElement) &&
      !chunk.querySelector("details[open]")
    ) {
      chunk.style.height = `${chunk.offsetHeight}px`;
      render([], chunk);
    }
  }

  #templateOf(row: Row): TemplateResult {
    if ("head" in row) return templates.groupHead(row.head, row.entries);
    const { sharers } = row;
    return templates.entry(sharers ? { ...row, sharers: matchingFirst(sharers, this.#query) } : row);
  }
}
