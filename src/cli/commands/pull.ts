/** Defines the command `pull`, which updates manifests with live values that differ from the declared values. */

import { Command } from "commander";
import { resolve } from "node:path";
import { rewriteFile } from "../../files/rewrite-file.ts";
import { createReader, type Reader } from "../../datahub/client.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Desired } from "../../manifests/base/desired.ts";
import { facetsFromRules } from "../../workflow/pull/facets-from-rules.ts";
import { readAmbiguousColumns } from "../../workflow/pull/ambiguous-columns.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Plan } from "../../model/plan.ts";
import { hasTrait } from "../../model/problem.ts";
import type { Entity } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import { sentenceOf } from "../../report/document/problems.ts";
import { printableLine } from "../../report/printable.ts";
import { notPulledTexts, pullSummary } from "../../report/text/pull-text.ts";
import { unifiedDiff } from "../../report/text/unified-diff.ts";
import { type Pulled, pullChanges, type PullRequest } from "../../workflow/pull/pull.ts";
import { errorMessage } from "../../model/text/error-text.ts";
import { RunError, writing } from "../errors.ts";
import { exitCodes, type ExitCode, highestPrecedence } from "../exit-code.ts";
import { exitCodeOfPull } from "../result-exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { facetHelp, parseFacet } from "../options/names.ts";
import { addGroup, addScopeOptions, addTargetOptions, common } from "../options/options.ts";
import { note, printError } from "../output/messages.ts";
import { showProblems } from "../output/show-problems.ts";
import { type Planned, type PlanOptions, withPlan } from "../run/plan-run.ts";

/** Defines the command, which uses a read-only client. */
export function pullCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("pull")
    .argument("[dir]", catalogHelp)
    .option("--dry-run", "show the changes to each file without writing them");
  addScopeOptions(addTargetOptions(command)).option("--facet <facet>", facetHelp, parseFacet);
  addGroup(command, "Output:", [common.quiet(), common.verbose()]);
  return addExamples(command, [
    ["Write changes from the catalog to the manifests", "pull"],
    ["Show what would be written", "pull --dry-run"],
    ["Pull only the owners of assets in one domain", "pull --facet owners --domain finance"],
  ]).action(async (dir: string | undefined, options: PullOptions) => {
    // Entities and columns that are missing from the catalog are reported and skipped, so the remaining values can still be
    // pulled.
    const planned = { ...options, format: "text", missing: "skip" } as const;
    const request = { dir: catalogFor(dir, options, io), options: planned, writes: false };
    done(await withPlan(request, io, (made) => pullPlanned(made, options, io)));
  });
}

interface PullOptions extends Omit<PlanOptions, "format"> {
  readonly facet?: readonly string[];
  readonly dryRun?: boolean;
}

/** Writes a plan's live values to the manifests, or shows the diff. Lists the skipped changes. */
async function pullPlanned(
  { plan: planned, scope, target }: Planned,
  options: PullOptions,
  io: Io,
): Promise<ExitCode> {
  const plan = withoutReferences(planned);
  const isSelected = selectionOf(options);
  const changes = plan.changes.filter(isSelected);
  const { desired, repository } = scope;
  const reader = createReader(target.connection);
  const signal = io.interrupted;
  const ruled = await ruledIn(changes, desired, reader, signal);
  const live = await readAmbiguousColumns(reader, changes, { state: desired.state, ruled }, { signal });
  const selected = { changes: plan.changes, names: plan.names, isAsked: isSelected };
  const pulled = await read({ ...selected, desired, ruled, live, repository, signal }, io);
  showProblems(plan, io);
  for (const text of notPulledTexts(pulled.left)) note(text, io);
  if (pulled.problems.length > 0) return refuse(pulled, io);
  const { files, left } = pulled;
  const isDryRun = options.dryRun === true;
  const root = resolve(io.cwd, repository.directory);
  for (const { name, path, before, after } of files) {
    if (!isDryRun) await writing(name, () => rewriteFile(path, after, root));
    io.stdout.write(isDryRun ? unifiedDiff(name, before, after) : `${printableLine(name)}\n`);
  }
  const counts = { changes: pulled.pulled.length, files: files.length, left: left.length, isDryRun };
  if (options.quiet !== true) note(pullSummary(counts), io);
  const interrupted = io.interrupted.aborted && exitCodes.interrupted;
  return highestPrecedence([exitCodeOfPull(plan, left.length > 0), interrupted]);
}

/** Removes problems with references from a plan. They do not affect `pull`, which does not apply the changes. */
function withoutReferences(plan: Plan): Plan {
  const problems = (plan.problems ?? []).filter(
    (problem) => !hasTrait(problem, "absent-reference", "soft-deleted-reference"),
  );
  return { ...plan, problems };
}

function selectionOf({ facet: names }: PullOptions): PullRequest["isAsked"] {
  return ({ facet }) => names === undefined || (facet !== undefined && names.includes(facet));
}

/** Returns the facets that rules declare for the changed assets. */
async function ruledIn(
  changes: readonly Change[],
  desired: Desired,
  reader: Reader,
  signal: AbortSignal,
): Promise<ReadonlyMap<Urn, Entity["facets"]>> {
  const facetsOf = facetsFromRules(reader, desired, { signal });
  const ruled = new Map<Urn, Entity["facets"]>();
  for (const [kind, own] of groupBy(changes, (change) => change.kind)) {
    const urns = [...new Set(own.map(({ urn }) => urn))];
    for (const [urn, facets] of (await facetsOf(kindOf(kind), urns)).facets) ruled.set(urn, facets);
  }
  return ruled;
}

async function read(request: PullRequest, io: Io): Promise<Pulled> {
  try {
    return await pullChanges(request);
  } catch (error) {
    if (io.interrupted.aborted) throw error;
    throw new RunError(`cannot reread the manifests: ${errorMessage(error)}`, "unreadable-file");
  }
}

function refuse({ problems }: Pulled, io: Io): ExitCode {
  for (const problem of problems) note(sentenceOf(problem), io);
  printError("nothing was written, because these values would make the manifests contradict each other", io);
  return exitCodes.conflict;
}
