/** Defines the JSON Schema for the settings that control reviews and mentions on GitHub. */

import { nonEmptyString } from "../../model/identifier.ts";
import type { JsonObject } from "../../model/json.ts";
import { mapping } from "./mapping-schema.ts";

const teamPattern = "^[A-Za-z0-9_.-]{1,100}$";
const loginPattern = "^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$";
const mentionPattern = "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:/[A-Za-z0-9_.-]{1,100})?$";

/** The description that messages show for each pattern. */
export const patternMeanings: ReadonlyMap<string, string> = new Map([
  [teamPattern, "a GitHub team name: letters, digits, `_`, `.` and `-`"],
  [loginPattern, "a GitHub login: letters, digits, `_` and `-`"],
  [mentionPattern, "a GitHub login, or an organization and a team: `alice`, `acme/finance`"],
]);

/** The schemas for the review settings, keyed by setting. */
export const reviewFields = {
  github: mapping("Settings for the comments that show plans on GitHub.", {
    mention: {
      type: "object",
      description:
        "Owners to mention in the pull request comment when a plan changes entities that they own. Maps each owner's URN to a GitHub user or team.",
      propertyNames: { pattern: "^urn:li:" },
      additionalProperties: {
        type: "string",
        pattern: mentionPattern,
      },
      examples: [
        { "urn:li:corpuser:alice@acme.com": "alice", "urn:li:corpGroup:finance-data": "acme/finance" },
      ],
    },
  }),
  reviewers: mapping(
    "Owners to request a review from when a plan changes entities that they own. `github comment --request-reviews` sends the requests.",
    {
      groups: namesSchema("GitHub teams, keyed by the id or URN of the DataHub group.", teamPattern, {
        "finance-data": "finance",
      }),
      users: namesSchema("GitHub logins, keyed by the id or URN of the DataHub user.", loginPattern, {
        "alice@acme.com": "alice",
      }),
    },
  ),
  require: mapping("Requirements that a pull request must meet before it can be merged.", {
    review: {
      enum: ["owners"],
      description:
        "With `owners`, a commit status fails until every affected owner in `reviewers` has approved.",
      examples: ["owners"],
    },
  }),
} as const satisfies Readonly<Record<string, JsonObject>>;

function namesSchema(description: string, pattern: string, example: Readonly<Record<string, string>>) {
  return {
    type: "object",
    description,
    propertyNames: nonEmptyString,
    additionalProperties: { type: "string", pattern },
    examples: [example],
  } as const;
}
