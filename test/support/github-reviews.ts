/** What the pull request of reviews has: its author, who was asked, and the last review of each. */
export interface FakeReviews {
  author: string;
  asked: string[];
  reviews: { readonly author: string; readonly state: string; readonly teams?: readonly string[] }[];
  /** Whom GitHub refuses to ask. */
  refused: string[];
}

/** The body of a request for reviews. */
export interface Wanted {
  readonly reviewers: readonly string[];
  readonly team_reviewers: readonly string[];
}

/** As GitHub does, it asks all of a request or nobody. */
export function askedFor(
  reviews: FakeReviews,
  { reviewers, team_reviewers: teams }: Wanted,
): { readonly status: number; readonly data: unknown } {
  const names = [...reviewers, ...teams.map((team) => `team ${team}`)];
  const isRefused = names.some((name) => name === reviews.author || reviews.refused.includes(name));
  if (isRefused || names.length > 15)
    return { status: 422, data: { message: "Reviews may only be requested from collaborators." } };
  reviews.asked.push(...names);
  return { status: 201, data: {} };
}

/** As GraphQL answers them. */
export function reviewsJson({ author, asked: names, reviews }: FakeReviews): object {
  const requested = names.map((name) =>
    name.startsWith("team ") ? { slug: name.slice("team ".length) } : { login: name },
  );
  const pullRequest = {
    author: { login: author },
    headRefOid: "abc123",
    latestOpinionatedReviews: {
      nodes: reviews.map(({ author: login, state, teams = [] }) => {
        return { state, author: { login }, onBehalfOf: { nodes: teams.map((slug) => ({ slug })) } };
      }),
    },
    timelineItems: { nodes: requested.map((requestedReviewer) => ({ requestedReviewer })) },
  };
  return { repository: { pullRequest } };
}
