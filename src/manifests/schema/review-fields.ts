/** The JSON Schema of the settings for reviews on GitHub. */

import { nonEmptyString } from "../../model/identifier.ts";
import type { JsonObject } from "../../model/json.ts";
import { mapping } from "./mapping-schema.ts";

const teamPattern = "^[A-Za-z0-9_.-]{1,100}$";
const loginPattern = "^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$";
const mentionPattern = "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})(?:/[A-Za-z0-9_.-]{1,100})?$";

/** The names of texts that match these patterns. */
export const patternMeanings: ReadonlyMap<string, string> = new Map([
  [teamPattern, "the name of a team on GitHub: letters, digits, `_`, `.` and `-`"],
  [loginPattern, "a login on GitHub: letters, digits, `_` and `-`"],
  [mentionPattern, "a login on GitHub, or an organization and a team: `alice`, `acme/finance`"],
]);

/** The schema of each key. */
export const reviewFields = {
  github: mapping("How plans are told on GitHub.", {
    mention: {
      type: "object",
      description:
        "Who is mentioned in the comment of a pull request when something changes that somebody owns by a manifest, by a rule or in the catalog: the name of a user or team on GitHub, by URN.",
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
    "Who is asked for a review with `github comment --request-reviews` when something changes that somebody owns.",
    {
      groups: namesSchema("The teams of the organization on GitHub, by ids or URNs of groups.", teamPattern, {
        "finance-data": "finance",
      }),
      users: namesSchema("The users on GitHub, by ids or URNs of users.", loginPattern, {
        "alice@acme.com": "alice",
      }),
    },
  ),
  require: mapping("What has to be there before a pull request is merged.", {
    review: {
      enum: ["owners"],
      description:
        "A status of the commit fails until all whom `reviewers` names of the owners of what the plan changes have approved.",
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
