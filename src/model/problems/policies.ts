/** Defines the problems with policies and waivers. */

import { code, type Misspelled } from "./text.ts";
import { problem } from "./problem.ts";

export const policyProblems = {
  /** Two policies have the same id. Both places are reported. */
  "duplicate-policy": problem({
    message: ({ policy }: { policy: string }) =>
      `another policy has the id ${code(policy)}: use a different id`,
    samples: [{ policy: "prod-governed" }],
  }),
  /** A waiver refers to a policy that does not exist. */
  "unknown-policy": problem({
    message: ({ policy }: Misspelled & { policy: string }) =>
      `${code("policy")} is ${code(policy)}, but no policy has this id`,
    samples: [{ policy: "prod-governd", suggestion: "prod-governed" }],
  }),
  /**
   * The `check` of a policy is not a valid CEL expression for the entities that the policy matches, or calls a function that is
   * not available.
   */
  "bad-expression": problem({
    message: ({ field, reason }: { field: string; reason: string }) =>
      `${code(field)} is not a valid expression: ${reason}`,
    samples: [{ field: "check", reason: "No such key: ownerz" }],
  }),
  /** The `expires` of a waiver is not a date such as `2027-01-31`. */
  "malformed-day": problem({
    message: ({ field, text }: { field: string; text: string }) =>
      `${code(field)} must be a date such as ${code("2027-01-31")}, but is ${code(text)}`,
    samples: [{ field: "expires", text: "31.1.2027" }],
  }),
  /** A waiver expires later than `waivers.max_days` in the settings allows (180 days from now by default). */
  "waiver-too-long": problem({
    message: ({ expires, days, latest }: { policy: string; expires: string; days: number; latest: string }) =>
      `a waiver must expire within ${days} days (${code("waivers.max_days")}), but this one expires on ${expires}: write ${latest} or an earlier date`,
    samples: [{ policy: "prod-governed", expires: "2028-01-31", days: 180, latest: "2027-05-23" }],
  }),
  /** Warning: a waiver has expired, so the violations that it covered count again. */
  "waiver-expired": problem({
    message: ({ policy, expires }: { policy: string; expires: string }) =>
      `this waiver for policy ${code(policy)} expired on ${expires}, so the violations that it covered count again`,
    samples: [{ policy: "prod-governed", expires: "2026-11-23" }],
  }),
  /** Warning from `check`: a waiver does not apply to any violation. */
  "waiver-unused": problem({
    message: ({ policy }: { policy: string }) =>
      `this waiver for policy \`${policy}\` does not apply to any violation: correct its \`match\`, or remove it`,
    samples: [{ policy: "prod-governed" }],
  }),
  /** Warning: a waiver expires within 14 days. */
  "waiver-expires": problem({
    message: ({ policy, expires, days }: { policy: string; expires: string; days: number }) =>
      `this waiver for policy ${code(policy)} expires ${days === 0 ? "today" : days === 1 ? "tomorrow" : `in ${days} days`} (${expires})`,
    samples: [
      { policy: "prod-governed", expires: "2026-12-01", days: 7 },
      { policy: "prod-governed", expires: "2026-11-25", days: 1 },
      { policy: "prod-governed", expires: "2026-11-24", days: 0 },
    ],
  }),
  /**
   * A policy uses something that the server's DataHub release does not support, such as `deprecation` for containers before
   * DataHub 1.0.
   */
  "policy-not-in-release": problem({
    message: ({ policy, what, release }: { policy: string; facet: string; what: string; release: string }) =>
      `${what} requires DataHub ${release} or later, but this server is older: remove the condition from policy ${code(policy)}, or upgrade the server`,
    samples: [
      {
        policy: "not-deprecated",
        facet: "deprecation",
        what: "a deprecation on a container",
        release: "1.0",
      },
    ],
  }),
};
