/** Requests reviews from the owners of changed entities, and sets a commit status that shows whether these owners approved. */

import type { GithubClient } from "../../github/client.ts";
import { type Reviewers, requestReviews, reviewsOf, setStatus } from "../../github/reviews.ts";
import type { Settings } from "../../manifests/settings/settings-content.ts";
import type { Plan } from "../../model/plan.ts";
import { isError, traitOf } from "../../model/problem.ts";
import { entityTypeOf, keyOf, type Urn } from "../../model/urn.ts";
import type { SavedResult } from "../../report/saved/saved-result.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { runAddress } from "./environment.ts";

/** The plans for a pull request, each with its settings. Plans whose settings cannot be read are left out. */
export type PlansWithSettings = readonly { readonly plan: Plan; readonly settings: Settings }[];

/** The plan results, and the options for owner reviews. */
export interface OwnerReviewOptions {
  /** All results, including results without a plan. */
  readonly results: readonly SavedResult[];
  readonly pullRequest: number;
  /** The planned commit, whose status is set. By default, this is the last commit on the branch. */
  readonly head?: string | undefined;
  /** A name that distinguishes commit statuses if the repository has several catalogs. */
  readonly name: string;
  readonly requestReviews: boolean;
}

/**
 * Requests reviews from the owners of changed entities if the settings list the owners' GitHub names. Never asks an owner twice,
 * and never asks the author. If the settings require reviews, sets a commit status. The status is `success` if and only if all
 * owners could be determined and each owner with a GitHub name, other than the author, has approved. Throws `GithubError`.
 */
export async function reviewByOwners(
  client: GithubClient,
  judged: PlansWithSettings,
  { results, pullRequest, head, name, requestReviews: isAsking }: OwnerReviewOptions,
  io: Io,
): Promise<void> {
  const isRequired = judged.some((each) =>
    settingsOf(each).some(({ require }) => require?.review === "owners"),
  );
  const owners = reviewersIn(judged);
  if (!isRequired && (!isAsking || owners.users.length + owners.teams.length === 0)) return;
  const { author, head: last, asked, approved } = await reviewsOf(client, pullRequest);
  const wanted = without(owners, { users: author === undefined ? [] : [author], teams: [] });
  if (isAsking) await askFor(client, pullRequest, without(wanted, asked), io);
  if (!isRequired) return;
  const missing = namesOf(without(wanted, approved));
  const doubt = doubtOf(results, judged);
  const target = runAddress(io);
  await setStatus(client, head ?? last, {
    context: `datahub-gitops/${name}-owners`,
    state: doubt === undefined && missing.length === 0 ? "success" : "failure",
    description: doubt ?? descriptionOf(wanted, missing),
    ...(target !== undefined && { target_url: target }),
  });
  if (doubt !== undefined) note(`Cannot check owner reviews: ${doubt}`, io);
  if (missing.length > 0) note(`Missing owner reviews: ${missing.join(", ")}`, io);
}

type ReviewSettings = Pick<Settings, "require" | "reviewers">;

/** Returns the review settings, both current and at the merge base. A pull request therefore cannot remove its own reviewers. */
function settingsOf({
  plan: { settingsChanges = [] },
  settings,
}: PlansWithSettings[number]): readonly ReviewSettings[] {
  const valueBefore = (key: string): string | undefined =>
    settingsChanges.find((change) => change.key === key)?.before ?? undefined;
  const namesBefore = (prefix: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      settingsChanges.flatMap(({ key, before }) =>
        key.startsWith(prefix) && before !== null ? [[key.slice(prefix.length), before] as const] : [],
      ),
    );
  const before: ReviewSettings = {
    ...(valueBefore("require.review") === "owners" && { require: { review: "owners" } }),
    reviewers: { groups: namesBefore("reviewers.groups "), users: namesBefore("reviewers.users ") },
  };
  return [settings, before];
}

/** Returns the reason why the required reviewers are unknown, or `undefined` if they are known. */
function doubtOf(results: readonly SavedResult[], judged: PlansWithSettings): string | undefined {
  const plans = results.flatMap((result) => ("plan" in result ? [result.plan] : []));
  const problems = plans.flatMap((plan) => plan.problems ?? []);
  if (plans.length < results.length) return "A saved result contains no plan";
  if (problems.some(isError)) return "A plan has errors";
  if (judged.length < plans.length) return "The settings of a plan could not be read";
  return problems.some(({ code }) => traitOf(code) === "unread-owners")
    ? "Owners could not be read"
    : undefined;
}

async function askFor(client: GithubClient, number: number, reviewers: Reviewers, io: Io): Promise<void> {
  const names = namesOf(reviewers);
  if (names.length === 0) return;
  const refused = await requestReviews(client, number, reviewers);
  const refusedNames = new Set(refused.map(({ name }) => name));
  const requested = names.filter((name) => !refusedNames.has(name));
  if (requested.length > 0) note(`Requested reviews from ${requested.join(", ")}`, io);
  for (const { name, why } of refused) {
    const hint = name.startsWith("team ")
      ? "a workflow token cannot request reviews from teams; use the token of a GitHub App that is allowed to read members"
      : "the reviewer must be a collaborator on the repository";
    note(`warning: cannot request a review from ${name}: ${why}; ${hint}`, io);
  }
}

const maxDescription = 140;

function descriptionOf(wanted: Reviewers, missing: readonly string[]): string {
  if (missing.length > 0) {
    const text = `Missing: ${missing.join(", ")}`;
    return text.length > maxDescription ? `${text.slice(0, maxDescription - 1)}…` : text;
  }
  return namesOf(wanted).length === 0 ? "No owner needs to approve" : "All owners approved";
}

function namesOf({ users, teams }: Reviewers): readonly string[] {
  return [...users, ...teams.map((team) => `team ${team}`)];
}

/** Returns the GitHub names that the settings contain for the owners in the plans, sorted and without duplicates. */
function reviewersIn(judged: PlansWithSettings): Reviewers {
  const namesIn = (kind: "users" | "groups", type: string): readonly string[] => {
    const names = judged.flatMap((each) => {
      const owners = (each.plan.owners ?? []).filter((urn) => entityTypeOf(urn) === type);
      return settingsOf(each).flatMap(({ reviewers = {} }) =>
        owners.flatMap((urn) => named(urn, reviewers[kind])),
      );
    });
    return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].toSorted();
  };
  return { users: namesIn("users", "corpuser"), teams: namesIn("groups", "corpGroup") };
}

function named(urn: Urn, names: Readonly<Record<string, string>> = {}): readonly string[] {
  const key = [urn, keyOf(urn)].find((each) => Object.hasOwn(names, each));
  const name = key === undefined ? undefined : names[key];
  return name === undefined ? [] : [name];
}

function without(all: Reviewers, others: Reviewers): Reviewers {
  return { users: namesNotIn(others.users, all.users), teams: namesNotIn(others.teams, all.teams) };
}

// GitHub login names are not case-sensitive.
function namesNotIn(known: readonly string[], names: readonly string[]): readonly string[] {
  const excluded = new Set(known.map((name) => name.toLowerCase()));
  return names.filter((name) => !excluded.has(name.toLowerCase()));
}
