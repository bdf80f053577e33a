/** Converts a document into Markdown sections. */

import { countedText } from "../count.ts";
import { changesIn, type Document } from "../document/document.ts";
import { deletionsIn, lossesOf } from "../document/losses.ts";
import { driftHeads } from "../document/notes.ts";
import { sectionsOf } from "../document/sections.ts";
import { gainParts } from "./additions.ts";
import { changesPart, conflictRows, deletionRows, lossRows, unmanagedRows } from "./changes.ts";
import type { Section } from "../page.ts";
import { lineText, prose } from "./escape.ts";
import { pagesLine } from "./page-links.ts";
import { type LinkOf, rowSection } from "./rows.ts";
import type { PrintedSection } from "./sections.ts";

/** Returns a document's sections in reading order. */
export function partsOf(
  document: Document,
  { all, linkOf }: { readonly all?: boolean | undefined; readonly linkOf?: LinkOf | undefined } = {},
): readonly PrintedSection[] {
  const { plan = document } = document;
  const { before, after } = sectionsOf(document);
  const partOf = (section: Section): PrintedSection => rowSection(section, linkOf);
  const changes = plan.isDrift ? driftParts(plan, all) : [...lossParts(plan, all), ...gainParts(plan, all)];
  return [...before.map(partOf), ...changes, ...after.map(partOf), unmanagedPart(plan)];
}

function unmanagedPart({ unmanaged, unmanagedHead, about }: Document): PrintedSection {
  const title = `${unmanagedHead}: ${countedText(unmanaged.length, "value")}`;
  return { rank: 7, title, form: "diff", rows: unmanagedRows(unmanaged, about?.names), noun: "value" };
}

function lossParts(document: Document, all?: boolean): readonly PrintedSection[] {
  const { about, removals } = document;
  const options = { names: about?.names, all };
  const changes = changesIn(document);
  const deletions = deletionsIn(changes);
  const conflicts = conflictRows(changes, options.names, document.isReview);
  const losses = changes.flatMap(lossesOf);
  const diff = { form: "diff" } as const;
  return [
    { ...diff, rank: 3, title: `Conflicts: ${conflicts.length}`, rows: conflicts, noun: "conflict" },
    {
      ...diff,
      rank: 1,
      title: `Deleted: ${countedText(deletions.length, "entity", "entities")}`,
      rows: deletionRows(deletions, options),
      bare: deletions.map(({ urn }) => ({ text: `- ${lineText(urn)}`, of: 1 })),
      noun: "deletion",
      pages: pagesLine(deletions, about),
    },
    {
      ...diff,
      rank: 4,
      title: `Removed: ${countedText(losses.length, "value")}`,
      lead: prose(removals),
      rows: lossRows(losses, options),
      noun: "value",
      pages: pagesLine(losses, about),
    },
  ];
}

/** Lists drift by class. Pending changes are collapsed. */
function driftParts({ changes: groups, about }: Document, all?: boolean): readonly PrintedSection[] {
  return groups.map(({ class: of = "changed", changes }) => {
    const title = `${driftHeads[of]} (${countedText(changes.length, "change")})`;
    const part = changesPart(title, changes, { names: about?.names, all, isDrift: true });
    return { ...part, rank: of === "pending" ? 5 : 4 };
  });
}
