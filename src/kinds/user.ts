/** Defines the kind for users, who can own assets. */

import { identifiedById, manageIdentities } from "./build.ts";
import type { Kind } from "./kind.ts";

export const user: Kind<"User"> = {
  name: "User",
  noun: "user",
  plural: "users",
  typename: "CorpUser",
  searchType: "CORP_USER",
  page: "user",
  lifecycle: "owned",
  softDeletable: true,
  ownable: false,
  isPerson: true,
  displayName: "display_name",
  storage: {
    display_name: ["corpUserInfo", "displayName"],
    first_name: ["corpUserInfo", "firstName"],
    last_name: ["corpUserInfo", "lastName"],
    full_name: ["corpUserInfo", "fullName"],
    email: ["corpUserInfo", "email"],
    title: ["corpUserInfo", "title"],
    manager_urn: ["corpUserInfo", "managerUrn"],
    department_id: ["corpUserInfo", "departmentId"],
    department_name: ["corpUserInfo", "departmentName"],
    country_code: ["corpUserInfo", "countryCode"],
    description: ["corpUserEditableInfo", "aboutMe"],
    slack: ["corpUserEditableInfo", "slack"],
    phone: ["corpUserEditableInfo", "phone"],
    picture_link: ["corpUserEditableInfo", "pictureLink"],
  },
  privilege: manageIdentities,
  // A user who is removed from manifests has not necessarily left the company, so `--prune` deletes users only if the settings
  // list this kind.
  deletion: {
    mutation: "removeUser",
    privilege: manageIdentities,
    relationships: ["OwnedBy", "ReportsTo"],
    searchFields: ["owners", "managerLdap"],
  },
  descriptions: {
    description: "The user's About text in DataHub. `none` removes it.",
    slack: "The user's Slack handle.",
    picture_link: "The URL of the user's profile picture.",
  },
  examples: { description: ["Closes the books every month."], slack: ["@alice"] },
  ...identifiedById("corpuser", "user", "alice@acme.com"),
  // These keys belong to the root user of a new server and to the actor of DataHub's own writes (Constants.java, SYSTEM_ACTOR).
  isSystem: (key) => key === "datahub" || key.startsWith("__datahub"),
  initial: () => ({ corpUserInfo: { active: true } }),
  otherNames: { urn: "id" },
};
