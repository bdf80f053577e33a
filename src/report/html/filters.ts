/** Prints the search box and the filters above the entries. */

import { facets } from "../../facets/index.ts";
import { html, type Markup } from "./markup.ts";
import { labelOf, type PageEntry } from "./page-entry.ts";

type Option = readonly [value: string, text: string];

const changes: readonly Option[] = [
  ["removes", "Removes a value"],
  ["replaces", "Replaces a value"],
  ["adds", "Adds a value"],
  ["creates", "Creates an entity"],
  ["deletes", "Deletes an entity"],
  ["conflict", "In conflict"],
  ["foreign", "Not declared before"],
];

/** The label of the option that groups entries by domain: the name of the facet that places entities in domains. */
const placement = facets
  .filter(({ isPlacement }) => isPlacement === true)
  .map(({ name }) => name.charAt(0).toUpperCase() + name.slice(1))
  .join(", ");

/** Prints the form for searching entries. The form needs the script and is hidden until the script shows it. */
export function filtersPart(entries: readonly PageEntry[], title: string): Markup {
  const edits = entries.flatMap((entry) => entry.edits);
  const policies = options(entries.map(({ policy = "" }) => policy));
  const isCheck = policies.length > 0;
  const classes = options(entries.map((entry) => (entry.class === undefined ? "" : labelOf(entry))));
  const className = isCheck ? "Verdict" : "Kind of drift";
  const fields = options(edits.map(({ field }) => field));
  const rules = options(edits.flatMap((edit) => edit.rules));
  const groups: readonly Option[] = [
    ...ifSome<Option>(classes, ["class", className]),
    ...ifSome<Option>(policies, ["policy", "Policy"], ["entity", "Entity"]),
    ...ifSome<Option>(rules, ["rule", "Rule"]),
    ...ifSome<Option>(
      entries.flatMap(({ homes }) => homes),
      ["home", placement],
    ),
    ...ifSome<Option>(
      entries.flatMap(({ teams }) => teams),
      ["team", "Owner"],
    ),
    ["kind", "Kind"],
    ...ifSome<Option>(fields, ["field", "Field"]),
    ["file", "File"],
  ];
  return html`<form id="filters" role="search" aria-label="${title}" hidden>
    <label class="search"
      >Search
      <input
        name="search"
        type="search"
        autocomplete="off"
        spellcheck="false"
        aria-keyshortcuts="/"
        placeholder="${isCheck ? "Names, reasons, files" : "Names, values, rules, files"}"
    /></label>
    ${ifSome(classes, select("class", className, classes))}
    ${isCheck ? select("policy", "Policy", policies) : select("change", "Change", changes)}
    ${select("kind", "Kind", options(entries.map(({ kind }) => kind)))}
    ${ifSome(fields, select("field", "Field", fields))} ${ifSome(rules, select("rule", "Rule", rules))}
    <label
      >Group by
      <select name="group">
        <option value="">None</option>
        ${groups.map(([value, text]) =>
          value === "class"
            ? html`<option value="${value}" selected="">${text}</option>`
            : html`<option value="${value}">${text}</option>`,
        )}
      </select></label
    >
    <button type="reset">Reset</button>
    <output aria-live="polite"></output>
  </form>`;
}

function ifSome<Shown>(of: readonly unknown[], ...shown: readonly Shown[]): readonly Shown[] {
  return of.length === 0 ? [] : shown;
}

function select(name: string, label: string, those: readonly Option[]): Markup {
  return html`<label
    >${label}
    <select name="${name}">
      <option value="">All</option>
      ${those.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
    </select></label
  >`;
}

function options(values: readonly string[]): readonly Option[] {
  const distinct = [...new Set(values)].filter((value) => value !== "").toSorted();
  return distinct.map((value) => [value, value]);
}
