import { facets } from "../../facets/index.ts";
import { html, type Markup } from "./markup.ts";
import type { PageEntry } from "./page-entry.ts";

const changes: readonly (readonly [string, string])[] = [
  ["removes", "Removes a value"],
  ["replaces", "Replaces a value"],
  ["adds", "Adds a value"],
  ["creates", "Creates"],
  ["deletes", "Deletes"],
  ["conflict", "In conflict"],
  ["foreign", "Not declared before"],
];

/** The heading of groups by where entities are placed: the name of the field. */
const placement = facets
  .filter(({ isPlacement }) => isPlacement === true)
  .map(({ name }) => name.charAt(0).toUpperCase() + name.slice(1))
  .join(", ");

/** The search and the filters of the list of changes. The script shows them: without it they would do nothing. */
export function filtersPart(entries: readonly PageEntry[]): Markup {
  const edits = entries.flatMap((entry) => entry.edits);
  const rules = distinct(edits.flatMap((edit) => edit.rules));
  const isDrift = entries.some((entry) => entry.class !== undefined);
  const groups: readonly (readonly [string, string])[] = [
    ...(isDrift ? [["class", "Kind of drift"] as const] : []),
    ...(rules.length > 0 ? [["rule", "Rule"] as const] : []),
    ...(entries.some(({ homes }) => homes.length > 0) ? [["home", placement] as const] : []),
    ...(entries.some(({ teams }) => teams.length > 0) ? [["team", "Owner"] as const] : []),
    ["kind", "Kind"],
    ["field", "Field"],
    ["file", "File"],
  ];
  return html`<form id="filters" role="search" aria-label="Changes" hidden>
    <label class="search"
      >Search
      <input
        name="search"
        type="search"
        autocomplete="off"
        spellcheck="false"
        aria-keyshortcuts="/"
        placeholder="Names, values, rules, files"
    /></label>
    ${select("change", "Change", changes)} ${select("kind", "Kind", options(entries.map(({ kind }) => kind)))}
    ${select("field", "Field", options(edits.map(({ field }) => field)))}
    ${rules.length === 0 ? "" : select("rule", "Rule", options(rules))}
    <label
      >Group by
      <select name="group">
        <option value="">Nothing</option>
        ${groups.map(([value, text], index) =>
          isDrift && index === 0
            ? html`<option value="${value}" selected="">${text}</option>`
            : html`<option value="${value}">${text}</option>`,
        )}
      </select></label
    >
    <button type="reset">Reset</button>
    <output aria-live="polite"></output>
  </form>`;
}

function select(name: string, label: string, those: readonly (readonly [string, string])[]): Markup {
  return html`<label
    >${label}
    <select name="${name}">
      <option value="">All</option>
      ${those.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select></label
  >`;
}

function options(values: readonly string[]): readonly (readonly [string, string])[] {
  return distinct(values).map((value) => [value, value]);
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== "").toSorted();
}
