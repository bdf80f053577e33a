/**
 * Edits manifest files so that they declare live values, for the `pull` command, and checks the results. Does not write the
 * files.
 */

import { resolve } from "node:path";
import { edgeSetOf, facetNamed } from "../../facets/index.ts";
import { readContainedFile } from "../../files/read-file.ts";
import { readDesired } from "../../manifests/documents/desired-state.ts";
import type { Edit, EditFault } from "../../manifests/edit/edit.ts";
import { editManifests } from "../../manifests/edit/edit-manifests.ts";
import { fileOf, urnOf } from "../../model/packed-declarations.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { compareText } from "../../model/json.ts";
import type { Names } from "../../model/plan.ts";
import { isError, type Problem } from "../../model/problem.ts";
import type { Entity, State } from "../../model/state.ts";
import type { UrnTest, Urn } from "../../model/urn.ts";
import { splitRuleValues } from "./split-rule-values.ts";
import { editsForChanges, type PulledEdit } from "./pulled-edits.ts";
import { readingOf, type Repository } from "../scope/repository.ts";
import type { Desired } from "../../manifests/base/desired.ts";

/** A manifest file before and after the edits. */
interface PulledFile {
  /** The file name in messages. */
  readonly name: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A change that cannot be adopted in a manifest, and the reason. */
interface LeftChange {
  readonly change: Change;
  readonly why: EditFault | "not-in-catalog" | "not-declarable" | "ruled";
  /** The rules that declare the value, if `why` is `ruled`. */
  readonly rules?: readonly string[];
}

/** The result of a pull. */
export interface Pulled {
  /** The files that change. */
  readonly files: readonly PulledFile[];
  /** The changes that the next plan will no longer contain. */
  readonly pulled: readonly FacetChange[];
  readonly left: readonly LeftChange[];
  /** Errors that the edited manifests would have. If there are any, the files must not be written. */
  readonly problems: readonly Problem[];
}

/** The changes to pull, and the manifests to edit. */
export interface PullRequest {
  /** All changes in the plan. */
  readonly changes: readonly Change[];
  /** The display names of entities in the changes. */
  readonly names?: Names | undefined;
  readonly isAsked: (change: Change) => boolean;
  readonly desired: Desired;
  /** The declarations from rules, keyed by asset. The assets' documents cannot adopt these values. */
  readonly ruled?: ReadonlyMap<Urn, Entity["facets"]>;
  /** The live state, if it is needed to determine which column a name refers to. */
  readonly live?: State;
  readonly repository: Repository;
  readonly signal?: AbortSignal;
}

/**
 * Edits the manifests for the selected changes. Does not write the files. Throws the signal's reason if it is aborted, or the
 * error for a manifest that cannot be read.
 */
export async function pullChanges(request: PullRequest): Promise<Pulled> {
  const { changes, isAsked, desired, ruled = new Map(), live = new Map(), repository, signal } = request;
  const created = new Map(changes.flatMap((each) => (each.action === "create" ? [[each.urn, each]] : [])));
  const { pending: declarable, left } = sorted(changes.filter(isAsked), created);
  const declared = { state: desired.state, ruled, live };
  const divided = declarable.map((change) => ({ change, ...splitRuleValues(change, declared) }));
  const byRules = divided.filter(({ rules }) => rules.length > 0);
  const pending = divided.flatMap(({ own }) => own ?? []);
  const edits = editsForChanges(pending, created, live);
  const { files: edited, faults } = editedFiles(edits, request);
  const files = edited.filter(({ before, after }) => before !== after);
  return {
    files,
    pulled: [...new Set(edits.flatMap((each) => each.changes))].filter((change) => !faults.has(change)),
    left: [
      ...left,
      ...byRules.map(({ change, rules }): LeftChange => ({ change, why: "ruled", rules })),
      ...[...faults].map(([change, why]) => ({ change, why })),
    ],
    problems: files.length > 0 ? await problemsAfter(files, repository, signal) : [],
  };
}

/**
 * Separates the changes that a manifest can adopt from all other changes. Combines all changes to a missing entity into one
 * entry.
 */
function sorted(
  changes: readonly Change[],
  created: ReadonlyMap<string, Change>,
): {
  readonly pending: readonly FacetChange[];
  readonly left: readonly LeftChange[];
} {
  const pending: FacetChange[] = [];
  const left = new Map<string, LeftChange>();
  for (const change of changes) {
    if (!isFacetChange(change) || change.action !== "update")
      left.set(change.urn, { change, why: "not-in-catalog" });
    else if (facetNamed(change.facet).schema && !hasSeveral(change)) pending.push(change);
    else left.set(`${change.urn} ${change.facet}`, { change, why: "not-declarable" });
  }
  for (const user of pending.flatMap(newMembersIn)) {
    const creation = created.get(user);
    if (creation) left.set(user, { change: creation, why: "not-in-catalog" });
  }
  return { pending, left: [...left.values()] };
}

/** Whether DataHub stores several values for a scalar. A manifest cannot declare any of them. */
function hasSeveral(change: FacetChange): boolean {
  return !isSetChange(change) && change.several !== undefined;
}

// A member that does not exist yet gets its edge when it is created.
function newMembersIn(change: FacetChange): readonly string[] {
  if (!isSetChange(change) || !edgeSetOf(change.facet)) return [];
  return change.add.filter((member) => typeof member === "string");
}

/** Returns the edited files, and the reasons why some changes were not pulled. */
function editedFiles(
  edits: readonly PulledEdit[],
  { desired, names = {}, repository: { cwd, directory } }: PullRequest,
): { readonly files: readonly PulledFile[]; readonly faults: ReadonlyMap<FacetChange, EditFault> } {
  const byUrn = groupBy(edits, ({ urn }) => urn);
  const namesByUrn = new Map(Object.entries(names));
  const changesOf = new Map<Edit, readonly FacetChange[]>(edits.map((edit) => [edit, edit.changes]));
  const found = new Set<Edit>();
  const refused: (readonly [FacetChange, EditFault])[] = [];
  const files = filesDeclaring(byUrn, desired).map(([name, urns]) => {
    const path = resolve(cwd, name);
    const before = readContainedFile(path, undefined, resolve(cwd, directory)).toString("utf8");
    const own = [...urns].flatMap((urn) => byUrn.get(urn) ?? []);
    const edited = editManifests({ name, text: before }, own, { found, names: namesByUrn });
    for (const { edit, fault } of edited.refused)
      if (fault !== "absent") for (const change of changesOf.get(edit) ?? []) refused.push([change, fault]);
    return { name, path, before, after: edited.text };
  });
  const declared = new Set([...found].flatMap((edit) => changesOf.get(edit) ?? []));
  const absent = edits.flatMap(({ changes }) => changes).filter((change) => !declared.has(change));
  const faults = new Map([...absent.map((change) => [change, "absent"] as const), ...refused]);
  return { files, faults };
}

/** Returns the files that declare any of the entities, each with the entities that it declares. */
function filesDeclaring(
  urns: UrnTest,
  { declarations }: Desired,
): readonly (readonly [name: string, urns: ReadonlySet<Urn>])[] {
  const declaring = declarations.filter((each) => urns.has(urnOf(each)));
  return [...groupBy(declaring, fileOf)]
    .map(([name, own]) => [name, new Set(own.map(urnOf))] as const)
    .toSorted(([a], [b]) => compareText(a, b));
}

async function problemsAfter(
  files: readonly PulledFile[],
  repository: Repository,
  signal?: AbortSignal,
): Promise<readonly Problem[]> {
  const texts = new Map(files.map(({ name, after }) => [name, after]));
  const { problems } = await readDesired(repository.directory, { ...readingOf(repository), texts, signal });
  return problems.filter(isError);
}
