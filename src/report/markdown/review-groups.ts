import { facetNamed } from "../../facets/index.ts";
import { findKind } from "../../kinds/index.ts";
import { type Change, isFacetChange, isSetChange, type ScalarChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { isInConflict } from "../../plan/diff/conflicts.ts";
import { changeRows } from "./change-rows.ts";
import { lineText, plainHtml } from "./escape.ts";
import { pagesLine } from "./pages.ts";
import { ruleText } from "../rule-text.ts";
import { many, type Section } from "./section.ts";

/** The values that give way to others, so that they are read with what is lost. */
export function replacementSection(plan: Plan): Section {
  const { changes, names } = plan;
  const replaced = changes.filter(isReplacement);
  const head = `#### Replaced: ${many(replaced.length, ["value", "values"])}`;
  return {
    rank: 4,
    head,
    form: "diff",
    rows: changeRows(replaced, { names }),
    noun: ["value", "values"],
    pages: pagesLine(replaced, plan),
  };
}

/** What documents add, folded by domain where the plan shows it, else by platform or kind. */
export function additionSections(plan: Plan): readonly Section[] {
  const { changes, names } = plan;
  const homes = homesIn(changes, names);
  const added = changes.filter((change) => isAddition(change) && !change.rules);
  return [...groupBy(added, (change) => homes.get(change.urn) ?? placeOf(change))].map(
    ([home, those]): Section => {
      const entities = new Set(those.map(({ urn }) => urn)).size;
      const counts = `${many(entities, ["entity", "entities"])} (${many(those.length, ["change", "changes"])})`;
      return foldedSection(`<b>${plainHtml(home)}</b>: ${counts}`, those, plan);
    },
  );
}

/** More rules than this are told together: each takes some room. */
const mostRules = 50;

/** What rules add, one folded list a rule. What several are behind stands in the list of each. */
export function ruleSections(plan: Plan): readonly Section[] {
  const { rules = [], changes, names } = plan;
  const added = changes.filter(isAddition);
  const behind = (ids: ReadonlySet<string>): readonly Change[] =>
    added.filter((change) => change.rules?.some((id) => ids.has(id)) === true);
  const adding = rules.filter(({ id }) => behind(new Set([id])).length > 0);
  const rest = adding.slice(mostRules);
  const sections = adding.slice(0, mostRules).map((each) => {
    const { rule, does } = ruleText(each, names);
    const head = `<b>${plainHtml(lineText(rule))}</b>: ${plainHtml(lineText(does))}`;
    return foldedSection(head, behind(new Set([each.id])), plan);
  });
  if (rest.length === 0) return sections;
  const others = behind(new Set(rest.map(({ id }) => id)));
  return [
    ...sections,
    foldedSection(`<b>${many(rest.length, ["more rule", "more rules"])}</b>`, others, plan),
  ];
}

function foldedSection(head: string, changes: readonly Change[], plan: Plan): Section {
  const rows = changeRows(changes, plan);
  const pages = pagesLine(changes, plan);
  return { rank: 5, head, form: "diff", isFolded: true, rows, noun: ["change", "changes"], pages };
}

function isReplacement(change: Change): change is ScalarChange {
  const isPair = change.shape === "scalar" && change.before !== null && change.after !== null;
  return isPair && !isInConflict(change);
}

function isAddition(change: Change): boolean {
  if (!isFacetChange(change)) return change.action === "create";
  if (isSetChange(change)) return change.add.length > 0;
  return change.before === null && change.after !== null;
}

/** The domains into which, or out of which, the plan moves assets. */
function homesIn(changes: readonly Change[], names: Names = {}): ReadonlyMap<Urn, string> {
  return new Map(
    changes.flatMap((change): readonly (readonly [Urn, string])[] => {
      if (change.shape !== "scalar" || facetNamed(change.facet).isHome !== true) return [];
      const home = change.after ?? change.before;
      if (!isUrn(home)) return [];
      const name = Object.hasOwn(names, home) ? names[home] : undefined;
      return [[change.urn, name ?? keyOf(home)]];
    }),
  );
}

function placeOf({ kind, urn }: Change): string {
  const known = findKind(kind);
  return known?.asset?.platformOf(urn) ?? known?.plural ?? kind;
}

/** The names of a plan, with those that URNs of assets tell: "prod.finance.invoices" is read faster than its URN. */
export function withAssetNames(plan: Plan): Plan {
  const told = plan.changes.flatMap(({ kind, urn }): readonly (readonly [string, string])[] => {
    const name = findKind(kind)?.asset?.nameOf(urn) ?? "";
    return name === "" ? [] : [[urn, name]];
  });
  return told.length === 0 ? plan : { ...plan, names: { ...Object.fromEntries(told), ...plan.names } };
}
