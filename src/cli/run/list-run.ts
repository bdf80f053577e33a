/**
 * Reads and filters current or planned entities from a server or a snapshot, for `list` and `coverage`. Reports incomplete
 * results.
 */

import { createReader, type Reader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import { linksOf, planScope } from "../../workflow/plan-scope.ts";
import { planSnapshot } from "../../workflow/plan-snapshot.ts";
import { dayOf } from "../../manifests/policies/policy-set.ts";
import type { Settings } from "../../manifests/settings/settings-content.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { ListedEntity, ListFilter } from "../../model/listing.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { countRestricted } from "../../model/restricted.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { ignoring } from "../../plan/base/ignore.ts";
import { type PlannedEntities, plannedEntities } from "../../plan/listing/planned.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { count } from "../../report/count.ts";
import type { CoverageFormat } from "../../report/format.ts";
import { type EntitySource, serverSource } from "../../sync/read/entity-source.ts";
import { type ListedBatch, listEntities } from "../../sync/list/list-entities.ts";
import type { CurrentPolicies } from "../../sync/policies/evaluate-policies.ts";
import { releaseProblemsOf } from "../../sync/policies/releases.ts";
import { readActor } from "../../sync/read/actor.ts";
import { readNames } from "../../sync/read/names.ts";
import { snapshotSource } from "../../sync/snapshot/snapshot-source.ts";
import { textsDeep } from "../../sync/snapshot/mentioned.ts";
import { revealed } from "../../sync/snapshot/redact.ts";
import { ManifestError } from "../../workflow/scope/errors.ts";
import type { Scope } from "../../workflow/scope/scope.ts";
import { loadManifests, openRepository } from "../../workflow/scope/repository.ts";
import { InputError, RunError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { catalogFor } from "../options/catalog.ts";
import type { FilterReader } from "../options/listing.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";
import { asCommandError } from "../output/command-error.ts";
import { note } from "../output/messages.ts";
import { progressOf } from "../output/progress.ts";
import { showProblems } from "../output/show-problems.ts";
import { readExistingManifests } from "./catalog-directory.ts";
import { createdAt } from "../created-at.ts";
import { scopeFor } from "./plan-run.ts";
import { serverNames, resolveNames } from "./named-filter.ts";
import { noteAge, readSnapshot } from "./snapshot.ts";
import { missingEntry } from "../../sync/read/missing-entry.ts";
import { refuseOtherServer } from "../../workflow/scope/pinned-server.ts";

/** The options for commands that list entities. */
export interface ListingOptions extends TargetOptions {
  readonly settings?: string;
  readonly snapshot?: string;
  readonly quiet?: boolean;
  readonly pager?: boolean;
  readonly format: CoverageFormat;
}

/** The scope and filter of a list. */
export interface ListRequest {
  /** The catalog directory from the command line. By default, the nearest catalog directory is used, if there is one. */
  readonly dir: string | undefined;
  readonly environment: string | undefined;
  /** The option that selects the environment, for use in error messages. */
  readonly environmentFlag: string;
  readonly options: ListingOptions;
  /** Prepares the filter. Throws `UsageError` if the filter refers to a policy that is not in the manifests. */
  readonly filterFor: (policies: readonly CatalogPolicy[]) => FilterReader;
  readonly readsContaining?: boolean;
  /** Whether to list entities as they will be after the manifests are applied. */
  readonly isPlanned?: boolean | undefined;
}

/** The listed entities, and a function that reads display names from the same catalog. */
export interface Listing {
  /** The name of the server, as shown in plans. */
  readonly target: string;
  /** The URL of DataHub's web interface, if it is in the settings. */
  readonly links: string | undefined;
  readonly batches: AsyncIterable<ListedBatch>;
  /** Returns the display names for URNs and for the references in entities. Reads each name only once. */
  readonly namesOf: (named: readonly (ListedEntity | string)[]) => Promise<Names>;
}

/** Passes the listed entities to `use`, in batches that are read on demand. Uses a read-only client. */
export async function withListing<T>(
  request: ListRequest,
  io: Io,
  use: (listing: Listing) => Promise<T>,
): Promise<T> {
  const { dir: given, environment, options } = request;
  const dir = catalogFor(given, options, io);
  const location = { cwd: io.cwd, directory: dir, settingsFile: options.settings, environment };
  const repository = await openRepository(location).catch((error: unknown) => {
    throw asCommandError(error, request.environmentFlag);
  });
  const scope = request.isPlanned
    ? await scopeFor({ dir, options: { format: "text" }, writes: false }, repository, io)
    : undefined;
  const desired =
    scope?.desired ??
    (given === undefined
      ? await readExistingManifests(repository, io)
      : await loadManifests(repository, io.interrupted));
  // The options are checked before any request is sent. This throws an error if a policy is unknown.
  const readFilter = request.filterFor(desired.policies);
  const { settings } = repository;
  const { policies, waivers } = desired;
  const declaring = { ...desired, ignored: ignoring(settings.ignore ?? []) };
  const current = { policies, waivers, declaring, day: dayOf(createdAt(io)) };
  const from = { request, readFilter, policies: current, settings, scope, io };
  if (options.snapshot !== undefined) return await use(await ofSnapshot(options.snapshot, from));
  return await withTarget(options, { settings, writes: false }, io, async ({ connection, name }) => {
    await checkServer(connection, io.interrupted);
    const progress = progressOf("Reading", io, options.quiet === true);
    const made = { createdAt: createdAt(io), target: name, signal: io.interrupted };
    const planned = scope && plannedBy((await planScope(scope, connection, made)).plan, io);
    const reader = createReader(connection);
    const lacking = await releaseProblemsOf(policies, reader, { signal: io.interrupted });
    if (lacking.length > 0) throw new ManifestError(lacking);
    const requested = await readFilter(() => readActor(reader, io.interrupted));
    const filter = await resolveNames(requested, current, serverNames(reader, io), io);
    const source = await serverSource(reader, filter, {
      signal: io.interrupted,
      planned,
      onProgress: progress.report,
    });
    return await use(listingOf(source, { target: name, filter, planned }, from)).finally(() =>
      progress.end(),
    );
  });
}

/** The prepared data for a request. The data is the same for a server and a snapshot. */
interface Prepared {
  readonly request: ListRequest;
  readonly readFilter: FilterReader;
  readonly policies: CurrentPolicies;
  readonly settings: Settings;
  /** The scope of a planned list, or `undefined` if the list is not planned. */
  readonly scope: Scope | undefined;
  readonly io: Io;
}

/** Returns the entities as they will be after the plan is applied. Throws `InputError` if problems make the plan unusable. */
function plannedBy(plan: Plan, io: Io): PlannedEntities {
  const { length } = refusingProblems(plan);
  if (length === 0) return plannedEntities(plan);
  showProblems(plan, io);
  throw new InputError(`nothing is planned: ${count(length, "problem")}`, "refused");
}

async function ofSnapshot(file: string, from: Prepared): Promise<Listing> {
  const { request, readFilter, policies, settings, scope, io } = from;
  const snapshot = readSnapshot(file, io);
  refuseOtherServer(snapshot.target, settings.server);
  noteAge(snapshot, request.options, io, "Reading");
  const requested = await readFilter(() => {
    throw new UsageError("a snapshot does not record who `me` is; specify the user");
  });
  const known = revealed(snapshot, [policies.declaring.state, ...policies.declaring.rules]);
  const source = snapshotSource(known, requested.kinds);
  const filter = await resolveNames(
    requested,
    policies,
    { ...source, sourceOf: () => Promise.resolve(source) },
    io,
  );
  const made = { createdAt: createdAt(io), signal: io.interrupted };
  const planned = scope && plannedBy(await planSnapshot(scope, snapshot, made), io);
  return listingOf(source, { target: snapshot.target, filter, planned }, from);
}

/** The server name, the resolved filter, and the planned entities if the list is planned. */
interface Listed {
  readonly target: string;
  readonly filter: ListFilter;
  readonly planned: PlannedEntities | undefined;
}

function listingOf(
  source: EntitySource,
  { target, filter, planned }: Listed,
  { request: { readsContaining = false }, policies, settings, io }: Prepared,
): Listing {
  const options = { signal: io.interrupted, readsContaining, planned };
  return {
    target,
    links: linksOf(settings),
    batches: listEntities(source, policies, filter, options),
    namesOf: namesIn(source.reader, io.interrupted),
  };
}

function namesIn(reader: Reader, signal: AbortSignal): Listing["namesOf"] {
  const names: Record<Urn, string> = {};
  const queried = new Set<Urn>();
  return async (named) => {
    const urns = named.flatMap((each) => (typeof each === "string" ? each : textsDeep(each.facets)));
    const unknown = [...new Set(urns)].filter(
      (urn): urn is Urn => isUrn(urn) && !queried.has(urn) && canHaveDisplayName(urn),
    );
    for (const urn of unknown) queried.add(urn);
    const found = await readNames(reader, unknown, { signal });
    for (const [urn, name] of found) names[urn] = name;
    return names;
  };
}

/** Returns a message with the number of unreadable entities, and the number of entities that the token is not allowed to view. */
export function unreadText(unreadable: ReadonlyMap<Urn, string>): string {
  const restricted = countRestricted(unreadable.values());
  const entities = count(unreadable.size, "entity", "entities");
  return `${entities} could not be read${restricted > 0 ? `, ${restricted} of them restricted` : ""}`;
}

/**
 * Prints the unreadable entities. If there are any, throws `RunError`, or `InputError` if they are missing from a snapshot. The
 * error message states that `what` is incomplete.
 */
export function refuseUnread(unreadable: ReadonlyMap<Urn, string>, what: string, io: Io): void {
  if (unreadable.size === 0) return;
  if ([...unreadable.values()].every((reason) => reason.endsWith(missingEntry))) {
    const are = unreadable.size === 1 ? "is" : "are";
    const entities = count(unreadable.size, "entity", "entities");
    throw new InputError(`${entities} ${are} not in the snapshot; ${what} is incomplete`, "not-in-snapshot");
  }
  for (const [urn, reason] of unreadable) note(`${urn} could not be read: ${reason}`, io);
  throw new RunError(`${unreadText(unreadable)}; ${what} is incomplete`, "answer");
}
