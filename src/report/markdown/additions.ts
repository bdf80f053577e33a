/** Writes the Markdown sections about values that a plan adds or replaces, grouped by rule and by domain. */

import { facetNamed } from "../../facets/index.ts";
import { findKind } from "../../kinds/index.ts";
import { type Change, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names } from "../../model/plan.ts";
import { isUrn, keyOf, type Urn } from "../../model/urn.ts";
import { countedText } from "../count.ts";
import { changesIn, type Document } from "../document/document.ts";
import { isReplacement } from "../document/losses.ts";
import { displayNameOf } from "../document/values.ts";
import { gainsPart } from "./changes.ts";
import { lineText, plainHtml } from "./escape.ts";
import type { PrintedSection } from "./sections.ts";

/** Lists the replaced values, then the additions, grouped by rule and by domain. */
export function gainParts(document: Document, all?: boolean): readonly PrintedSection[] {
  return [replacementPart(document, all), ...ruleParts(document, all), ...additionParts(document, all)];
}

/** Lists the replaced values. Like the sections about losses, this section is not collapsed. */
function replacementPart(document: Document, all?: boolean): PrintedSection {
  const replaced = changesIn(document).filter(isReplacement);
  const title = `Replaced: ${countedText(replaced.length, "value")}`;
  return { ...gainsPart(title, replaced, document, all), rank: 4, noun: "value" };
}

/**
 * Lists additions from documents in collapsed sections. Each entity's additions are grouped by its domain if the plan contains
 * the domain, or else by platform or kind.
 */
function additionParts(document: Document, all?: boolean): readonly PrintedSection[] {
  const changes = changesIn(document);
  const homes = homesIn(changes, document.about?.names);
  const added = changes.filter((change) => isAddition(change) && !change.rules);
  return [...groupBy(added, (change) => homes.get(change.urn) ?? platformOf(change))].map(([home, those]) => {
    const entities = new Set(those.map(({ urn }) => urn)).size;
    const counts = `${countedText(entities, "entity", "entities")} (${countedText(those.length, "change")})`;
    return gainsPart(`<b>${plainHtml(home)}</b>: ${counts}`, those, document, all);
  });
}

/** The maximum number of rules that have their own section. Further rules share a section, to save space. */
const maxRules = 50;

/** Lists each rule's additions in a collapsed section. Additions that several rules declare appear in several sections. */
function ruleParts(document: Document, all?: boolean): readonly PrintedSection[] {
  const caused = changesIn(document)
    .filter(isAddition)
    .flatMap((change) => (change.rules ?? []).map((id) => ({ id, change })));
  const byRule = groupBy(caused, ({ id }) => id);
  const texts = new Map(document.rules.map(({ id, text }) => [id, text.slice(`rule ${id}`.length)]));
  const adding = [...new Set([...texts.keys(), ...byRule.keys()])].filter((id) => byRule.has(id));
  const partOf = (title: string, ids: readonly string[]): PrintedSection => {
    const changes = ids.flatMap((id) => byRule.get(id) ?? []).map(({ change }) => change);
    return gainsPart(title, [...new Set(changes)], document, all);
  };
  const parts = adding.slice(0, maxRules).map((id) => {
    const counted = `: ${countedText(byRule.get(id)?.length ?? 0, "change")}`;
    const [name, effect] = [`rule ${id}`, texts.get(id) ?? counted].map((text) => plainHtml(lineText(text)));
    return partOf(`<b>${name}</b>${effect}`, [id]);
  });
  const rest = adding.slice(maxRules);
  if (rest.length === 0) return parts;
  return [...parts, partOf(`<b>${countedText(rest.length, "more rule")}</b>`, rest)];
}

function isAddition(change: Change): boolean {
  if (!isFacetChange(change)) return change.action === "create";
  if (isSetChange(change)) return change.add.length > 0;
  return change.before === null && change.after !== null;
}

/** Returns, for each moved asset, the domain that it joins. If it joins none, returns the domain that it leaves. */
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
