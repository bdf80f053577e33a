/** Defines the problems with memberships in groups and data products. */

import { namedIn, type Reference } from "./references.ts";
import { alice, finance, orders } from "./samples.ts";
import { all, choice, code } from "./text.ts";
import { problem, type Words } from "./problem.ts";

export const membershipProblems = {
  /**
   * A user's `groups` and a group's `members` contradict each other, or an asset's `data_products` and a data product's `assets`
   * do. Both places are reported.
   */
  "contradicting-membership": problem({
    message: ({
      urn,
      facet,
      other,
      otherFacet,
    }: {
      urn: string;
      facet: string;
      other: string;
      otherFacet: string;
    }) =>
      `${code(facet)} of ${code(urn)} lists ${code(other)}, whose ${code(otherFacet)} do not list ${code(urn)}: declare the membership on one side only, or on both`,
    samples: [{ urn: alice, facet: "groups", other: finance, otherFacet: "members" }],
  }),
  /** An asset is declared in two data products, but the server allows only one. Both places are reported. */
  "exclusive-membership": problem({
    message: ({ urn, facet, groups }: { urn: string; facet: string; groups: readonly string[] }) =>
      `${code(urn)} is declared in the ${code(facet)} of ${all(groups)}, but this server allows it in only one of them: keep only one declaration`,
    samples: [{ urn: orders, facet: "assets", groups: ["urn:li:dataProduct:a", "urn:li:dataProduct:b"] }],
  }),
  /** Members are declared for a group that an identity provider manages. */
  "external-group": problem({
    message: ({ urn }: { urn: string }) =>
      `an identity provider manages the members of ${code(urn)}, so they cannot be changed here: remove \`members\``,
    samples: [{ urn: finance }],
  }),
  /** Warning: a user's manifest lists a group that an identity provider manages, but the user is not a member of that group. */
  "external-membership": problem({
    message: ({ urn, users }: { urn: string; users: readonly string[] }) =>
      `an identity provider manages the members of ${code(urn)}, so ${choice(users, 5)} cannot be added here: remove the group from \`groups\``,
    samples: [{ urn: finance, users: [alice] }],
  }),
  /**
   * Warning from `user upsert` and `group upsert`: a group or member does not exist in the catalog, so the membership is skipped.
   */
  "membership-skipped": problem({
    message: ({ state, ...args }: Reference & { state: "absent" | "soft-deleted" }, words: Words) => {
      const { what, urn } = args;
      const noun = words.nounOf(what);
      const found = namedIn(args, words);
      const fault = state === "soft-deleted" ? "is soft-deleted" : "does not exist in the catalog";
      return `${noun} ${code(urn)} ${fault}, so the membership is skipped: ${
        found ?? `upsert the ${noun}, and then run this command again`
      }`;
    },
    samples: [
      { urn: alice, what: "User", state: "absent" },
      { urn: alice, what: "User", state: "soft-deleted" },
      { urn: "urn:li:corpuser:Alice Doe", what: "User", state: "absent", named: ["alice"] },
    ],
  }),
};
