import { resolve } from "node:path";
import { memberships } from "../facets/index.ts";
import { readContainedFile } from "../files/read-file.ts";
import { type Desired, readDesired } from "../manifests/desired-state.ts";
import type { EditFault } from "../manifests/edit/edit.ts";
import { editManifests } from "../manifests/edit/edit-manifests.ts";
import { editsFor } from "../manifests/edit/edits-for.ts";
import { isDeclarable, type WantedValue, wantedBy } from "../manifests/edit/wanted-values.ts";
import { type Change, type FacetChange, isFacetChange, isSetChange } from "../model/change.ts";
import type { Problem } from "../model/problem.ts";
import type { Entity } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import { type DeclaredByBoth, dividedByRules } from "./left-to-rules.ts";
import { readingOf, type Repository } from "./repository.ts";

/** A file of manifests, and what it is to hold. */
export interface PulledFile {
  /** As messages name it. */
  readonly name: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A change that the manifests cannot take over from the catalog, and why. */
interface LeftChange {
  readonly change: Change;
  readonly why: EditFault | "not-in-catalog" | "not-declarable" | "ruled";
  /** The rules that declare it, where that is why. */
  readonly rules?: readonly string[];
}

/** What a pull writes into manifests, and what it leaves as it is. */
export interface Pulled {
  /** Those that become others. */
  readonly files: readonly PulledFile[];
  /** The changes that are not needed any more then. */
  readonly pulled: readonly FacetChange[];
  readonly left: readonly LeftChange[];
  /** The errors between the manifests as they would be: with any nothing must be written. */
  readonly problems: readonly Problem[];
}

/** Of which changes the values are pulled, and into what. */
export interface PullRequest {
  /** All changes of the plan. */
  readonly changes: readonly Change[];
  readonly isAsked: (change: Change) => boolean;
  readonly desired: Desired;
  /** By asset what rules declare: the manifests of the asset cannot take that over. */
  readonly ruled?: ReadonlyMap<Urn, Entity["facets"]>;
  readonly repository: Repository;
  readonly signal?: AbortSignal;
}

/**
 * The manifests of a repository with the live values of some changes of its plan: instead of being applied, each becomes an
 * edit of the places that declare the value. Nothing is written. Throws the error of the system, or `FileError`, where a
 * manifest cannot be read, and the reason of the signal.
 */
export async function pulledBy({
  changes,
  isAsked,
  desired,
  ruled = new Map(),
  repository,
  signal,
}: PullRequest): Promise<Pulled> {
  const created = new Map(changes.flatMap((each) => (each.action === "create" ? [[each.urn, each]] : [])));
  const { pending: declarable, left } = sorted(changes.filter(isAsked), created);
  const { pending, ruled: byRules } = withoutRuled(declarable, { state: desired.state, ruled });
  const wanted = wantedBy(pending, created);
  const placed = new Set<WantedValue>();
  const edited = filesOf(wanted, desired).map((name) => editedFile(name, wanted, { repository, placed }));
  const faults = faultsIn(wanted, edited);
  const files = edited.filter(({ before, after }) => before !== after);
  return {
    files,
    pulled: [...new Set(wanted.flatMap((each) => each.changes))].filter((change) => !faults.has(change)),
    left: [...left, ...byRules, ...[...faults].map(([change, why]) => ({ change, why }))],
    problems: files.length > 0 ? await problemsAfter(files, repository, signal) : [],
  };
}

/** The changes that a manifest can take over, and those that it cannot: of what is not in the catalog, one of each entity. */
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
    else if (isDeclarable(change)) pending.push(change);
    else left.set(`${change.urn} ${change.facet}`, { change, why: "not-declarable" });
  }
  for (const user of pending.flatMap(joiningIn)) {
    const creation = created.get(user);
    if (creation) left.set(user, { change: creation, why: "not-in-catalog" });
  }
  return { pending, left: [...left.values()] };
}

/** What documents decide of some changes, and what is left because rules do. */
function withoutRuled(
  changes: readonly FacetChange[],
  declared: DeclaredByBoth,
): { readonly pending: readonly FacetChange[]; readonly ruled: readonly LeftChange[] } {
  const divided = changes.map((change) => ({ change, ...dividedByRules(change, declared) }));
  return {
    pending: divided.flatMap(({ own }) => own ?? []),
    ruled: divided.flatMap(({ change, rules }): readonly LeftChange[] =>
      rules.length > 0 ? [{ change, why: "ruled", rules }] : [],
    ),
  };
}

// A membership of somebody who is not there yet comes with the user.
function joiningIn(change: FacetChange): readonly string[] {
  if (!isSetChange(change) || change.facet !== memberships.facet) return [];
  return change.add.filter((user) => typeof user === "string");
}

/** The files that declare something of the entities. */
function filesOf(wanted: readonly WantedValue[], { declarations }: Desired): readonly string[] {
  const urns = new Set<Urn>(wanted.map(({ urn }) => urn));
  const names = new Set<string>();
  for (const { entity } of declarations) {
    if (entity.origin && urns.has(entity.urn)) names.add(entity.origin.file);
  }
  return [...names].toSorted();
}

interface EditedFile extends PulledFile {
  /** What the file declares of what is wanted, with why it does not say it now where that is so. */
  readonly found: ReadonlyMap<WantedValue, EditFault | undefined>;
}

interface Editing {
  readonly repository: Repository;
  /** What the documents before hold: only the first one gains elements. */
  readonly placed: Set<WantedValue>;
}

function editedFile(
  name: string,
  wanted: readonly WantedValue[],
  { repository: { cwd, directory }, placed }: Editing,
): EditedFile {
  const path = resolve(cwd, name);
  const before = readContainedFile(path, undefined, resolve(cwd, directory)).toString("utf8");
  const edits = editsFor({ name, text: before }, wanted, placed);
  const { text: after, refused } = editManifests(
    { name, text: before },
    edits.map(({ edit }) => edit),
  );
  const faultOf = new Map(refused.map(({ edit, fault }) => [edit, fault]));
  const found = new Map<WantedValue, EditFault | undefined>();
  for (const { edit, wanted: value } of edits) found.set(value, found.get(value) ?? faultOf.get(edit));
  return { name, path, before, after, found };
}

/** The changes that are needed all the same, and why. */
function faultsIn(
  wanted: readonly WantedValue[],
  files: readonly EditedFile[],
): ReadonlyMap<FacetChange, EditFault> {
  const placed = new Set(files.flatMap(({ found }) => [...found.keys()].flatMap((each) => each.changes)));
  const faults = new Map<FacetChange, EditFault>();
  for (const { changes } of wanted)
    for (const change of changes) if (!placed.has(change)) faults.set(change, "absent");
  for (const [{ changes }, fault] of files.flatMap(({ found }) => [...found])) {
    if (fault !== undefined) for (const change of changes) faults.set(change, fault);
  }
  return faults;
}

async function problemsAfter(
  files: readonly PulledFile[],
  repository: Repository,
  signal?: AbortSignal,
): Promise<readonly Problem[]> {
  const texts = new Map(files.map(({ name, after }) => [name, after]));
  const { problems } = await readDesired(repository.directory, { ...readingOf(repository), texts, signal });
  return problems.filter(({ severity }) => severity === "error");
}
