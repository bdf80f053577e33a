import type { Plan } from "../../model/plan.ts";
import { touchedOwners } from "../../plan/touched-owners.ts";
import { reviewMarkdown } from "../../report/markdown/review.ts";
import type { SavedResult } from "../../report/saved-result.ts";
import { ManifestError, ScopeError } from "../../scope/errors.ts";
import { loadManifests, openRepository } from "../../scope/repository.ts";
import type { Io } from "../io.ts";
import { note } from "../output/say.ts";
import { fileAddress, runAddress } from "./environment.ts";
import type { PullRequest } from "./pull-request.ts";

/** The text of the comment of a pull request about results of `plan`. */
export async function reviewOf(
  files: readonly string[],
  results: readonly SavedResult[],
  { head }: PullRequest,
  io: Io,
): Promise<string> {
  const plans = results.flatMap((result) => ("plan" in result ? [result.plan] : []));
  const mentions = await Promise.all(plans.map((plan) => mentionsFor(plan, io)));
  return reviewMarkdown(results, {
    run: runAddress(io),
    titles: files,
    linkOf: (origin) => fileAddress(origin, head, io),
    mentions: [...new Set(mentions.flat())].toSorted(),
  });
}

/** Whom the settings of a plan's manifests mention for it. Nobody where the manifests are not here. */
async function mentionsFor(plan: Plan, io: Io): Promise<readonly string[]> {
  const { scope } = plan;
  if (!scope) return [];
  try {
    const repository = await openRepository({ cwd: io.cwd, directory: scope.directory });
    const mention = repository.settings.github?.mention ?? {};
    if (Object.keys(mention).length === 0) return [];
    const { state } = await loadManifests(repository, io.interrupted);
    return touchedOwners(plan, state).flatMap((urn) =>
      Object.hasOwn(mention, urn) ? (mention[urn] ?? []) : [],
    );
  } catch (error) {
    if (!(error instanceof ManifestError || error instanceof ScopeError)) throw error;
    note(`Nobody is mentioned, because the manifests in ${scope.directory} cannot be read`, io);
    return [];
  }
}
