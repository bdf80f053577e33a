import { facetNamed } from "../../facets/index.ts";
import { type Change, isFacetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Origin } from "../../model/origin.ts";
import type { Names, Plan, Unmanaged } from "../../model/plan.ts";
import { isUrn, keyOf } from "../../model/urn.ts";
import type { Document } from "../document/document.ts";
import { type Edge, edgesOf, subjectIn } from "../document/edges.ts";
import { type Edit, editPlace, type Entry, entriesOf } from "../document/entries.ts";
import {
  conflictTexts,
  deletionNote,
  fallbackText,
  type Line,
  linesOf,
  unchangedText,
} from "../document/lines.ts";
import { driftHeads } from "../document/notes.ts";
import { displayNameOf, entitiesText, plainNameOf, sourceText } from "../document/values.ts";
import { pageOf } from "../document/page-of.ts";
import { printable } from "../printable.ts";
import type { PageEdit, PageEntry, PageLine, Sharer } from "./page-entry.ts";

/** What entries need to know beside their changes. */
interface Seen extends Pick<Plan, "names" | "links"> {
  readonly isDrift: boolean;
  /** What stays in the catalog beside the changes of an entity. */
  readonly staysOf: ReadonlyMap<Change["urn"], readonly Unmanaged[]>;
  readonly all?: boolean | undefined;
  readonly fileOf?: ((origin: Origin) => string | undefined) | undefined;
}

/** The changes of a document as entries of a page, what weighs most first, of drift by class. */
export function pageEntries(
  { changes, about, isDrift, unmanaged }: Document,
  view: Pick<Seen, "all" | "fileOf">,
): readonly PageEntry[] {
  const staysOf = groupBy(unmanaged, ({ urn }) => urn);
  const seen: Seen = { ...view, ...(about && { names: about.names, links: about.links }), isDrift, staysOf };
  return changes.flatMap((group) =>
    entriesOf(group.changes, view.all).map((entry) => ({
      ...pageEntry(entry, seen),
      ...(group.class && { class: driftHeads[group.class], label: group.class }),
    })),
  );
}

function pageEntry({ isShared, edits }: Entry, seen: Seen): PageEntry {
  const changes = edits.map((edit) => edit.change);
  const [change] = changes;
  const { action = "update", kind = "", urn = "" } = change ?? {};
  const common = {
    action,
    kind,
    edits: edits.map((edit) => pageEdit(edit, seen)),
    ...homesOf(changes, seen),
  };
  if (isShared) {
    const sharers = sharersOf(edits[0]?.of ?? [], seen);
    return { ...common, title: entitiesText(sharers.length, kind), sharers };
  }
  return {
    ...common,
    title: nameOf(urn, seen.names),
    urn: printable(urn),
    ...linkOf(change, seen),
  };
}

function nameOf(urn: Change["urn"] | "", names: Names | undefined): string {
  return urn === "" ? "" : printable(plainNameOf(urn, names));
}

/** What does not exist yet has no page. */
function linkOf(change: Change | undefined, { links }: Seen): { readonly page?: string } {
  const page = change && change.action !== "create" ? pageOf(change.urn, links) : undefined;
  return page === undefined ? {} : { page };
}

function sharersOf(changes: readonly Change[], seen: Seen): readonly Sharer[] {
  const byUrn = new Map(changes.map((change) => [change.urn, change]));
  return [...byUrn].map(([urn, change]) => ({
    name: nameOf(urn, seen.names),
    urn: printable(urn),
    ...linkOf(change, seen),
  }));
}

/** The domains and owners that the result names of an entity: those that it gains, loses, or keeps beside what is declared. */
function homesOf(changes: readonly Change[], seen: Seen): Pick<PageEntry, "homes" | "teams"> {
  const urns = new Set(changes.map(({ urn }) => urn));
  const stays = [...urns].flatMap((urn) => seen.staysOf.get(urn) ?? []);
  const edges = [
    ...changes.filter(isFacetChange).flatMap(edgesOf),
    ...stays.flatMap((each) => subjectIn(each) ?? []),
  ];
  const subjects = (about: Edge["about"]): readonly string[] => {
    const own = edges.filter((edge) => edge.about === about).map(({ subject }) => subject);
    return [...new Set(own)].map((subject) => {
      const name = displayNameOf(subject, seen.names);
      return printable(name ?? (isUrn(subject) ? keyOf(subject) : subject));
    });
  };
  return { homes: subjects("home"), teams: subjects("owner") };
}

function pageEdit({ change, columns, isOneLine }: Edit, seen: Seen): PageEdit {
  const { source, rules = [] } = change;
  const file = source && !source.base ? seen.fileOf?.(source) : undefined;
  const common = {
    source: sourceText(change, isOneLine),
    rules: rules.map((rule) => printable(rule)),
    ...(file !== undefined && { file }),
  };
  if (!isFacetChange(change)) {
    const note = deletionNote(change, seen);
    const notes = note === "" ? [] : [note];
    const verb = change.action === "create" ? "created" : seen.isDrift ? "not declared any more" : "deleted";
    return { ...common, field: "", place: verb, lines: [], notes };
  }
  const conflict = conflictTexts(change, seen.names);
  return {
    ...common,
    field: facetNamed(change.facet).name,
    place: editPlace(change, { columns }),
    lines: linesOf(change, seen).map(pageLine),
    ...(conflict && { isConflict: true }),
    notes: conflict
      ? [
          conflict.ending,
          `base: ${conflict.base}`,
          `live: ${conflict.live}${conflict.writer === "" ? "" : ` (${conflict.writer})`}`,
          `declared: ${conflict.declared}`,
        ]
      : [],
  };
}

function pageLine(line: Line): PageLine {
  const { sign, text, before, fallback, known, held = "" } = line;
  const notes = [
    unchangedText(line),
    known === undefined || known.writer === "" ? "" : `(${known.writer})`,
    fallback === undefined ? "" : fallbackText(fallback),
    held,
  ];
  return {
    sign,
    text,
    ...(before !== undefined && { before }),
    ...(known && known.origin !== "" && { origin: known.origin }),
    note: notes.filter((note) => note !== "").join(" "),
  };
}
