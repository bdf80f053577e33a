/** Converts a document's changes into page entries. */

import { facetNamed } from "../../facets/index.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Names, Unmanaged } from "../../model/plan.ts";
import { isUrn, keyOf } from "../../model/urn.ts";
import type { Document, View } from "../document/document.ts";
import { type Edge, edgesOf, subjectIn } from "../document/edges.ts";
import { type Edit, editPlace, type Entry, entriesOf } from "../document/entries.ts";
import { conflictOf, deletionNote, linesOf } from "../document/lines.ts";
import { driftHeads } from "../document/notes.ts";
import { displayNameOf, entitiesText, plainNameOf, sourceText } from "../document/values.ts";
import { pageOf } from "../document/entity-page.ts";
import { printable } from "../printable.ts";
import type { PageEdit, PageEntry, Sharer } from "./page-entry.ts";

/** The data that entries need in addition to their changes. */
interface EntryContext extends View {
  readonly names: Names | undefined;
  readonly links: string | undefined;
  readonly isDrift: boolean;
  /** For each entity, the unmanaged values that the catalog keeps. */
  readonly unmanagedOf: ReadonlyMap<Change["urn"], readonly Unmanaged[]>;
}

/** Converts a document's changes into entries, with the most important entries first. Drift is sorted by class. */
export function pageEntries(
  { changes, about, isDrift, unmanaged }: Document,
  view: View,
): readonly PageEntry[] {
  const unmanagedOf = groupBy(unmanaged, ({ urn }) => urn);
  const context = { ...view, names: about?.names, links: about?.links, isDrift, unmanagedOf };
  return changes.flatMap((group) =>
    entriesOf(group.changes, view.all).map((entry) => ({
      ...pageEntry(entry, context),
      class: group.class && driftHeads[group.class],
      label: group.class,
    })),
  );
}

function pageEntry({ isShared, edits }: Entry, context: EntryContext): PageEntry {
  const changes = edits.map((edit) => edit.change);
  const [change] = changes;
  const { action = "update", kind = "", urn = "" } = change ?? {};
  const common = {
    action,
    kind,
    edits: edits.map((edit) => pageEdit(edit, context)),
    ...homesOf(changes, context),
  };
  if (isShared) {
    const sharers = sharersOf(edits[0]?.of ?? [], context);
    return { ...common, title: entitiesText(sharers.length, kind), sharers };
  }
  return {
    ...common,
    title: nameOf(urn, context.names),
    urn: printable(urn),
    page: linkOf(change, context),
  };
}

function nameOf(urn: Change["urn"] | "", names: Names | undefined): string {
  return urn === "" ? "" : printable(plainNameOf(urn, names));
}

/** Returns the URL of an entity's page. Entities that do not exist yet have no page. */
function linkOf(change: Change | undefined, { links }: EntryContext): string | undefined {
  return change && change.action !== "create" ? pageOf(change.urn, links) : undefined;
}

function sharersOf(changes: readonly Change[], context: EntryContext): readonly Sharer[] {
  const byUrn = new Map(changes.map((change) => [change.urn, change]));
  return [...byUrn].map(([urn, change]) => ({
    name: nameOf(urn, context.names),
    urn: printable(urn),
    page: linkOf(change, context),
  }));
}

/** Returns the domains and owners that entities gain, lose, or keep as unmanaged values. */
function homesOf(changes: readonly Change[], context: EntryContext): Pick<PageEntry, "homes" | "teams"> {
  const urns = new Set(changes.map(({ urn }) => urn));
  const unmanaged = [...urns].flatMap((urn) => context.unmanagedOf.get(urn) ?? []);
  const edges = [
    ...changes.filter(isFacetChange).flatMap(edgesOf),
    ...unmanaged.flatMap((each) => subjectIn(each) ?? []),
  ];
  const subjects = (about: Edge["about"]): readonly string[] => {
    const own = edges.filter((edge) => edge.about === about).map(({ subject }) => subject);
    return [...new Set(own)].map((subject) => {
      const name = displayNameOf(subject, context.names);
      return printable(name ?? (isUrn(subject) ? keyOf(subject) : subject));
    });
  };
  return { homes: subjects("home"), teams: subjects("owner") };
}

function pageEdit({ change, columns, isOneLine }: Edit, context: EntryContext): PageEdit {
  const { source, rules = [] } = change;
  const file = source && !source.base ? context.fileOf?.(source) : undefined;
  const common = {
    source: sourceText(change, isOneLine),
    rules: rules.map((rule) => printable(rule)),
    file,
  };
  if (!isFacetChange(change)) {
    const note = deletionNote(change, context);
    const notes = note === "" ? [] : [note];
    const verb = change.action === "create" ? "created" : context.isDrift ? "no longer declared" : "deleted";
    return { ...common, field: "", place: verb, lines: [], notes };
  }
  const conflict = conflictOf(change, context.names);
  return {
    ...common,
    field: facetNamed(change.facet).name,
    place: editPlace(change, columns),
    lines: linesOf(change, context),
    isConflict: conflict && true,
    notes: conflict
      ? [
          conflict.ending,
          ...conflict.sides.map(
            ({ name, text, writer }) => `${name}: ${text}${writer === "" ? "" : ` (${writer})`}`,
          ),
        ]
      : [],
  };
}
