/** Makes the sections of a plan for reviewers of a pull request. */

import { facetNamed } from "../../facets/index.ts";
import { findKind } from "../../kinds/index.ts";
import { type Change, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { isHeldBack } from "../../model/held-back.ts";
import { countedText } from "../count.ts";
import type { Document } from "../document/document.ts";
import { displayNameOf } from "../document/values.ts";
import { lineText, plainHtml } from "../markdown/escape.ts";
import { changesIn, collapsedSection, lossParts, sectionsOf } from "../markdown/parts.ts";
import type { LinkOf } from "../markdown/rows.ts";
import type { Section } from "../markdown/sections.ts";

/** The sections of a plan: obstacles, losses, then additions by rule and by domain. */
export function reviewParts(document: Document, linkOf?: LinkOf): readonly Section[] {
  const sections = sectionsOf(document, linkOf);
  const { errors, settings, policyChanges, guards, policies, skipped, warnings, unmanaged } = sections;
  return [
    errors,
    settings,
    policyChanges,
    guards,
    policies,
    ...lossParts(document),
    replacementPart(document),
    ...ruleParts(document),
    ...additionParts(document),
    skipped,
    warnings,
    unmanaged,
  ];
}

/** The replaced values. The section is open, like that of losses. */
function replacementPart(document: Document): Section {
  const replaced = changesIn(document).filter(isReplacement);
  const { isFolded: _, ...part } = collapsedSection(
    `#### Replaced: ${countedText(replaced.length, "value")}`,
    replaced,
    document,
  );
  return { ...part, rank: 4, noun: "value" };
}

/** The additions of documents, in collapsed sections by domain if the plan shows it, else by platform or kind. */
function additionParts(document: Document): readonly Section[] {
  const changes = changesIn(document);
  const homes = homesIn(changes, document.about?.names);
  const added = changes.filter((change) => isAddition(change) && !change.rules);
  return [...groupBy(added, (change) => homes.get(change.urn) ?? platformOf(change))].map(([home, those]) => {
    const entities = new Set(those.map(({ urn }) => urn)).size;
    const counts = `${countedText(entities, "entity", "entities")} (${countedText(those.length, "change")})`;
    return collapsedSection(`<b>${plainHtml(home)}</b>: ${counts}`, those, document);
  });
}

/** More rules share one section, because each section takes room. */
const maxRules = 50;

/** The additions of each rule in a collapsed section. Additions of several rules are in the section of each. */
function ruleParts(document: Document): readonly Section[] {
  const added = changesIn(document).filter(isAddition);
  const addedBy = (ids: ReadonlySet<string>): readonly Change[] =>
    added.filter((change) => change.rules?.some((id) => ids.has(id)) === true);
  const adding = document.rules.filter(({ id }) => addedBy(new Set([id])).length > 0);
  const rest = adding.slice(maxRules);
  const parts = adding.slice(0, maxRules).map(({ id, text }) => {
    const head = `<b>${plainHtml(lineText(`rule ${id}`))}</b>: ${plainHtml(lineText(text))}`;
    return collapsedSection(head, addedBy(new Set([id])), document);
  });
  if (rest.length === 0) return parts;
  const others = addedBy(new Set(rest.map(({ id }) => id)));
  return [...parts, collapsedSection(`<b>${countedText(rest.length, "more rule")}</b>`, others, document)];
}

function isReplacement(change: Change): boolean {
  const isPair = change.shape === "scalar" && change.before !== null && change.after !== null;
  return isPair && !isHeldBack(change);
}

function isAddition(change: Change): boolean {
  if (!isFacetChange(change)) return change.action === "create";
  if (isSetChange(change)) return change.add.length > 0;
  return change.before === null && change.after !== null;
}

/** For each moved asset, the name of the domain that it joins, or else leaves. */
function homesIn(changes: readonly Change[], names?: Names): ReadonlyMap<Urn, string> {
  return new Map(
    changes.flatMap((change): readonly (readonly [Urn, string])[] => {
      if (change.shape !== "scalar" || facetNamed(change.facet).isPlacement !== true) return [];
      const home = change.after ?? change.before;
      return isUrn(home) ? [[change.urn, displayNameOf(home, names) ?? keyOf(home)]] : [];
    }),
  );
}

function platformOf({ kind, urn }: Change): string {
  const known = findKind(kind);
  return known?.asset?.platformOf(urn) ?? known?.plural ?? kind;
}

/** A plan with display names for assets from their URNs: "prod.finance.invoices" is easier to read than the URN. */
export function withAssetNames(plan: Plan): Plan {
  const named = plan.changes.flatMap(({ kind, urn }): readonly (readonly [string, string])[] => {
    const name = findKind(kind)?.asset?.nameOf(urn) ?? "";
    return name === "" ? [] : [[urn, name]];
  });
  return named.length === 0 ? plan : { ...plan, names: { ...Object.fromEntries(named), ...plan.names } };
}
