import type { Plan } from "../../model/plan.ts";
import { reviewMarkdown } from "../../report/github/review.ts";
import type { SavedResult } from "../../report/saved/saved-result.ts";
import { ManifestError, ScopeError } from "../../scope/errors.ts";
import { openRepository } from "../../scope/repository.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { fileAddress, runAddress } from "./environment.ts";
import type { PullRequest } from "./pull-request.ts";

/** The text of the comment of a pull request about results of `plan`. */
export async function reviewOf(
  files: readonly string[],
  results: readonly SavedResult[],
  { head, author }: PullRequest,
  io: Io,
): Promise<string> {
  const plans = results.flatMap((result) => ("plan" in result ? [result.plan] : []));
  const mentions = (await Promise.all(plans.map((plan) => mentionsFor(plan, io)))).flat();
  return reviewMarkdown(results, {
    run: runAddress(io),
    titles: files,
    linkOf: (origin) => fileAddress(origin, head, io),
    mentions: [...new Set(mentions)].filter((name) => !isSameName(name, author)).toSorted(),
  });
}

// Names on GitHub are not case-sensitive.
function isSameName(name: string, author: string | undefined): boolean {
  return name.toLowerCase() === author?.toLowerCase();
}

/** Whom the settings mention for the owners of what a plan changes; none if the settings cannot be read. */
async function mentionsFor({ scope, owners = [] }: Plan, io: Io): Promise<readonly string[]> {
  if (!scope || owners.length === 0) return [];
  const { directory, environment } = scope;
  try {
    const { settings } = await openRepository({ cwd: io.cwd, directory, environment });
    const mention = settings.github?.mention ?? {};
    return owners.flatMap((urn) => (Object.hasOwn(mention, urn) ? (mention[urn] ?? []) : []));
  } catch (error) {
    if (!(error instanceof ManifestError || error instanceof ScopeError)) throw error;
    note(`Nobody is mentioned, because the settings in ${directory} cannot be read`, io);
    return [];
  }
}
