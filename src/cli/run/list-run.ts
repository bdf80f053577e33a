import { createReader, type Reader } from "../../datahub/client.ts";
import { checkServer } from "../../datahub/server-config.ts";
import { canHaveDisplayName } from "../../facets/display-names.ts";
import { linksOf, planScope, refuseOtherServer } from "../../library/plan-scope.ts";
import { planSnapshot } from "../../library/plan-snapshot.ts";
import { dayOf } from "../../manifests/policies/policy-set.ts";
import type { Desired } from "../../manifests/desired-state.ts";
import type { CatalogPolicy } from "../../model/catalog-policy.ts";
import type { ListedEntity, ListFilter } from "../../model/listing.ts";
import type { Names, Plan } from "../../model/plan.ts";
import { countRestricted } from "../../model/restricted.ts";
import { isUrn, type Urn } from "../../model/urn.ts";
import { ignoring } from "../../plan/adopt/ignore.ts";
import { type PlannedEntities, plannedEntities } from "../../plan/listing/planned.ts";
import { refusingProblems } from "../../plan/plan.ts";
import { count } from "../../report/count.ts";
import type { CoverageFormat } from "../../report/format.ts";
import { type EntitySource, serverSource } from "../../run/list/entity-source.ts";
import { type ListedBatch, listEntities } from "../../run/list/list-entities.ts";
import type { PoliciesAtHand } from "../../run/policies/evaluate-policies.ts";
import { releaseProblemsOf } from "../../run/policies/releases.ts";
import { readActor } from "../../run/read/actor.ts";
import { readNames } from "../../run/read/names.ts";
import { snapshotSource } from "../../run/snapshot/listed.ts";
import { textsDeep } from "../../run/snapshot/mentioned.ts";
import { missingEntry } from "../../run/snapshot/snapshot.ts";
import { revealed } from "../../run/snapshot/redact.ts";
import { ManifestError } from "../../scope/errors.ts";
import type { Scope } from "../../scope/scope.ts";
import { loadManifests, openRepository, type Repository } from "../../scope/repository.ts";
import { InputError, RunError, UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { catalogFor } from "../options/catalog.ts";
import type { FilterReader } from "../options/listing.ts";
import { locationOf } from "../options/options.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";
import { asCommandError } from "../output/command-error.ts";
import { note } from "../output/messages.ts";
import { progressOf } from "../output/progress.ts";
import { showProblems } from "../output/show-problems.ts";
import { existing } from "./catalog-directory.ts";
import { createdAt } from "../created-at.ts";
import { scopeFor } from "./plan-run.ts";
import { lookUpOn, namedFilter } from "./named-filter.ts";
import { ageText, readSnapshot } from "./snapshot.ts";

/** The options of commands that list entities. */
export interface ListingOptions extends TargetOptions {
  readonly settings?: string;
  readonly snapshot?: string;
  readonly quiet?: boolean;
  readonly pager?: boolean;
  readonly format: CoverageFormat;
}

/** What is listed. */
export interface ListRequest {
  /** The catalog directory, where one is given; else the nearest one, which need not be there. */
  readonly dir: string | undefined;
  readonly environment: string | undefined;
  readonly options: ListingOptions;
  /** How the filter is made, among the policies of the manifests. Throws `UsageError` where it names none of them. */
  readonly filterFor: (policies: readonly CatalogPolicy[]) => FilterReader;
  readonly readsContaining?: boolean;
  /** Whether entities are listed as the manifests make them. */
  readonly isPlanned?: boolean | undefined;
}

/** The entities that are listed, and what else is asked of the same catalog. */
export interface Listing {
  /** The server, as plans name it. */
  readonly target: string;
  /** The address of DataHub's web interface, where the settings have it. */
  readonly links: string | undefined;
  readonly batches: AsyncIterable<ListedBatch>;
  /** The display names of what some entities, or URNs, name. Each is read once. */
  readonly namesOf: (named: readonly (ListedEntity | string)[]) => Promise<Names>;
}

/** Reads what is listed from a server or a snapshot and passes it to `use`, which takes it batch by batch. Its client can only read. */
export async function withListing<T>(
  request: ListRequest,
  io: Io,
  use: (listing: Listing) => Promise<T>,
): Promise<T> {
  const { dir: given, environment: env, options } = request;
  const dir = catalogFor(given, options, io);
  const { settings } = options;
  const location = { ...(settings !== undefined && { settings }), ...(env !== undefined && { env }) };
  const repository = await openRepository(locationOf(dir, location, io)).catch((error: unknown) => {
    throw asCommandError(error, "--environment");
  });
  const scope = request.isPlanned
    ? await scopeFor({ dir, options: { format: "text" }, writes: false }, repository, io)
    : undefined;
  const desired =
    scope?.desired ??
    (given === undefined ? await existing(repository, io) : await loadManifests(repository, io.interrupted));
  // Before the server is asked for anything.
  const readFilter = request.filterFor(desired.policies);
  const policies = policiesIn(repository, desired, dayOf(createdAt(io)));
  const from = { request, readFilter, policies, links: linksOf(repository.settings), scope, io };
  const rules = { settings: repository.settings, writes: false };
  if (options.snapshot !== undefined)
    return await use(await ofSnapshot(options.snapshot, from, rules.settings.server));
  return await withTarget(options, rules, io, async ({ connection, name }) => {
    await checkServer(connection, io.interrupted);
    const progress = progressOf("Reading", io, options.quiet === true);
    const made = { createdAt: createdAt(io), target: name, signal: io.interrupted };
    const planned = scope && plannedBy((await planScope(scope, connection, made)).plan, io);
    const reader = createReader(connection);
    const lacking = await releaseProblemsOf(desired.policies, reader, { signal: io.interrupted });
    if (lacking.length > 0) throw new ManifestError(lacking);
    const asked = await readFilter(() => readActor(reader, io.interrupted));
    const filter = await namedFilter(asked, policies, lookUpOn(reader, io), io);
    const source = await serverSource(reader, filter, {
      signal: io.interrupted,
      planned,
      ...(progress.isShown && { onProgress: progress.report }),
    });
    return await use(listingOf(source, { target: name, filter, planned }, from)).finally(() =>
      progress.end(),
    );
  });
}

/** What is listed, and by whom. */
interface From {
  readonly request: ListRequest;
  readonly readFilter: FilterReader;
  readonly policies: PoliciesAtHand;
  readonly links: string | undefined;
  /** Only where entities are listed as the manifests make them. */
  readonly scope: Scope | undefined;
  readonly io: Io;
}

/** What a plan makes of the catalog. Throws `InputError` where problems refuse the plan: nothing becomes of it. */
function plannedBy(plan: Plan, io: Io): PlannedEntities {
  const { length } = refusingProblems(plan);
  if (length === 0) return plannedEntities(plan);
  showProblems(plan, io);
  throw new InputError(`nothing is planned: ${count(length, "problem")}`, "refused");
}

async function ofSnapshot(file: string, from: From, pinned: string | undefined): Promise<Listing> {
  const { request, readFilter, policies, scope, io } = from;
  const snapshot = readSnapshot(file, io);
  refuseOtherServer(snapshot.target, pinned);
  if (request.options.quiet !== true) note(ageText(snapshot, io.now(), "Reading"), io);
  const asked = await readFilter(() => {
    throw new UsageError("a snapshot does not say who `me` is: name the user");
  });
  const known = revealed(snapshot, [policies.declaring.state, ...policies.declaring.rules]);
  const source = snapshotSource(known, asked.kinds);
  const filter = await namedFilter(
    asked,
    policies,
    { ...source, sourceOf: () => Promise.resolve(source) },
    io,
  );
  const made = { createdAt: createdAt(io), signal: io.interrupted };
  const planned = scope && plannedBy(await planSnapshot(scope, snapshot, made), io);
  return listingOf(source, { target: snapshot.target, filter, planned }, from);
}

/** Which entities are listed, of which server, and as which plan makes them. */
interface Listed {
  readonly target: string;
  readonly filter: ListFilter;
  readonly planned: PlannedEntities | undefined;
}

function listingOf(
  source: EntitySource,
  { target, filter, planned }: Listed,
  { request, policies, links, io }: From,
): Listing {
  const { readsContaining = false } = request;
  const options = { signal: io.interrupted, readsContaining, planned };
  return {
    target,
    links,
    batches: listEntities(source, policies, filter, options),
    namesOf: namesIn(source.reader, io.interrupted),
  };
}

function policiesIn({ settings }: Repository, desired: Desired, day: string): PoliciesAtHand {
  const { policies, waivers } = desired;
  const declaring = { ...desired, ignored: ignoring(settings.ignore ?? []) };
  return { policies, waivers, day, declaring };
}

function namesIn(reader: Reader, signal: AbortSignal): Listing["namesOf"] {
  const names: Record<Urn, string> = {};
  const asked = new Set<Urn>();
  return async (named) => {
    const urns = named.flatMap((each) => (typeof each === "string" ? each : textsDeep(each.facets)));
    const unknown = [...new Set(urns)].filter(
      (urn): urn is Urn => isUrn(urn) && !asked.has(urn) && canHaveDisplayName(urn),
    );
    for (const urn of unknown) asked.add(urn);
    const found = await readNames(reader, unknown, { signal });
    for (const [urn, name] of found) names[urn] = name;
    return names;
  };
}

/** How many entities could not be read, and how many of them the token may not view. */
export function unreadText(unreadable: ReadonlyMap<Urn, string>): string {
  const restricted = countRestricted(unreadable.values());
  const entities = count(unreadable.size, "entity", "entities");
  return `${entities} could not be read${restricted > 0 ? `, ${restricted} of them restricted` : ""}`;
}

/**
 * Prints what could not be read. Throws `RunError` where there is something: `what` is not complete then; `InputError` where a
 * snapshot does not contain it.
 */
export function refuseUnread(unreadable: ReadonlyMap<Urn, string>, what: string, io: Io): void {
  if (unreadable.size === 0) return;
  if ([...unreadable.values()].every((reason) => reason.endsWith(missingEntry))) {
    const are = unreadable.size === 1 ? "is" : "are";
    const entities = count(unreadable.size, "entity", "entities");
    throw new InputError(
      `${entities} ${are} not in the snapshot; ${what} is not complete`,
      "not-in-snapshot",
    );
  }
  for (const [urn, reason] of unreadable) note(`${urn} could not be read: ${reason}`, io);
  throw new RunError(`${unreadText(unreadable)}; ${what} is not complete`, "answer");
}
