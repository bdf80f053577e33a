/**
 * Defines the command `validate`, which checks settings and manifests. With `--strict`, it also compares them with the catalog.
 */

import { Command } from "commander";
import type { Format } from "../../workflow/render.ts";
import { warningAt, fileOrigin } from "../../manifests/base/problem.ts";
import { dayOf, expiryProblems } from "../../manifests/policies/policy-set.ts";
import { canonicalJson } from "../../model/json.ts";
import { isError, type PlanProblem, type Problem, sortProblems } from "../../model/problem.ts";
import { count } from "../../report/count.ts";
import { countsOf } from "../../report/document/problems.ts";
import { type Manifests, openRepositories, readManifests } from "../../workflow/scope/repository.ts";
import { movedToChangedFiles } from "../../workflow/scope/changed-places.ts";
import type { Selection } from "../../workflow/scope/selection.ts";
import { UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import { createdAt } from "../created-at.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addTargetOptions, common, locationOf, snapshotOption } from "../options/options.ts";
import type { TargetOptions } from "../options/target.ts";
import { printProblems } from "../output/print.ts";
import { note } from "../output/messages.ts";

/** Defines the command. It connects to a server only with `--strict`, using a read-only client. */
export function validateCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("validate")
    .argument("[dir]", catalogHelp)
    .addOption(common.settings())
    .addOption(common.environment())
    .addOption(common.format())
    .option(
      "--strict",
      "also check the manifests against the catalog, and warn about column patterns without a match",
    )
    .addOption(snapshotOption("with --strict: "));
  addExamples(addTargetOptions(command), [
    ["Check the manifests", "validate"],
    ["Also check the manifests against the catalog", "validate --strict"],
    ["Print problems as a GitLab code quality report", "validate --format gitlab"],
  ]);
  return command.action(async (dir: string | undefined, options: ValidateOptions) => {
    done(await validate(catalogFor(dir, options, io), options, io));
  });
}

interface ValidateOptions extends TargetOptions {
  readonly snapshot?: string;
  readonly settings?: string;
  readonly env?: string;
  /** Whether to check the manifests against the catalog as well. */
  readonly strict?: boolean;
  readonly format: Format;
}

/** The manifests of one environment, or all manifests if the settings have no environments. */
interface Part extends Manifests {
  readonly environment: string | undefined;
}

/**
 * Checks the settings and manifests of each environment separately. With `--strict`, also checks the plan. Reports identical
 * problems only once.
 */
async function validate(dir: string, options: ValidateOptions, io: Io): Promise<ExitCode> {
  checkTarget(options);
  const parts: Part[] = [];
  const day = dayOf(createdAt(io));
  for (const repository of await openRepositories(locationOf(dir, options, io))) {
    const manifests = await readManifests(repository, io.interrupted);
    const maxDays = repository.settings.waivers?.max_days;
    const problems = await movedToChangedFiles(
      [...manifests.problems, ...expiryProblems(manifests.waivers, day, maxDays)],
      { repository, selection: comparedIn(io) },
      manifests,
    );
    parts.push({ ...manifests, problems, environment: repository.environment });
  }
  const found = withoutRepeats([
    ...parts.flatMap((part) => part.problems),
    ...(options.env === undefined ? outsideOf(parts) : []),
  ]);
  const isStrict = options.strict === true && !found.some(isError);
  const problems = isStrict ? withoutRepeats([...found, ...(await liveProblemsOf(dir, options, io))]) : found;
  const isValid = !problems.some(isError);
  printProblems(problems, options.format, io, isValid ? `Valid: ${partsText(parts)}.` : undefined);
  if (options.format === "text" && parts.length > 1 && problems.length > 0)
    for (const part of parts) note(`${part.environment}: ${verdictOf(part)}`, io);
  return isValid ? exitCodes.done : exitCodes.invalid;
}

/** Creates a plan and returns its problems, including column patterns without a match. */
async function liveProblemsOf(
  dir: string,
  options: ValidateOptions,
  io: Io,
): Promise<readonly PlanProblem[]> {
  const request = { dir, options: { ...options, format: "text" as const }, writes: false, isStrict: true };
  // Imported on demand, because validation without a catalog does not need this code.
  const { makePlan } = await import("../run/make-plan.ts");
  return (await makePlan(request, io, options.snapshot)).problems ?? [];
}

/** If GitHub Actions runs for a pull request, selects the changes since the base branch. */
function comparedIn({ env }: Io): Selection {
  const branch = env["GITHUB_BASE_REF"] ?? "";
  return branch === "" ? {} : { changedSince: `refs/remotes/origin/${branch}` };
}

function checkTarget({ strict, server, local, data, snapshot }: ValidateOptions): void {
  if (strict === true) return;
  const named = Object.entries({ server, local, data, snapshot }).find(([, value]) => value !== undefined);
  if (named)
    throw new UsageError(`--${named[0]} needs --strict; otherwise validate does not read the catalog`);
}

function withoutRepeats(problems: readonly PlanProblem[]): readonly PlanProblem[] {
  return sortProblems([...new Map(problems.map((problem) => [canonicalJson(problem), problem])).values()]);
}

/** Returns warnings for files that do not belong to any environment. */
function outsideOf(parts: readonly Part[]): readonly Problem[] {
  const environments = parts.flatMap(({ environment }) => environment ?? []);
  const names = [...(parts[0]?.others ?? [])].filter((name) => parts.every(({ others }) => others.has(name)));
  return names.map((name) => warningAt(fileOrigin(name), "outside-environments", { environments }));
}

function partsText(parts: readonly Part[]): string {
  const texts = parts.map(({ documents, files, environment }) => {
    const text = `${count(documents, "document")} in ${count(files, "file")}`;
    return environment === undefined ? text : `${environment} with ${text}`;
  });
  return texts.join(", ");
}

function verdictOf({ problems }: Part): string {
  return problems.length === 0 ? "no problems" : countsOf(problems);
}
