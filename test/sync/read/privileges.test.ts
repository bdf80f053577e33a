import { expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Operation, Request } from "../../../src/model/operation.ts";
import { missingPrivilegeText, missingAspectPrivilegeText } from "../../../src/sync/read/privileges.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const orders = urn(datasetNamed("orders"));
const clicks = urn(datasetNamed("clicks"));
const pii = urn("urn:li:tag:pii");
const ada = urn("urn:li:corpuser:ada");
const mutation: Request = { type: "mutation", field: "x", args: [] };
const proposal = (of: typeof orders): Request => ({
  type: "proposal",
  urn: of,
  aspect: "x",
  initial: {},
  set: {},
});
const tagging = (of: typeof orders): object => ({
  action: "update",
  kind: "Dataset",
  urn: of,
  shape: "set",
  facet: "tags",
});

function operation(request: Request, ...changes: readonly object[]): Operation {
  return { id: "1", request, locks: [], after: [], changes: changes as readonly Change[] };
}

test.each<readonly [string, readonly Operation[], string]>([
  ["a facet", [operation(mutation, tagging(orders))], `EDIT_ENTITY_TAGS ("Edit Tags") on ${orders}`],
  [
    "a deletion",
    [operation(mutation, { shape: "entity", action: "delete", kind: "Tag", urn: pii })],
    `MANAGE_TAGS ("Manage Tags") on ${pii}`,
  ],
  [
    "the creation of a kind without deletion",
    [operation(mutation, { shape: "entity", action: "create", kind: "Dataset", urn: orders })],
    `EDIT_ENTITY ("Edit Entity") on ${orders}`,
  ],
  [
    "an aspect of an asset",
    [operation(proposal(orders), tagging(clicks))],
    `EDIT_ENTITY ("Edit Entity") on ${orders}`,
  ],
  [
    "an aspect of a user",
    [operation(proposal(ada))],
    `MANAGE_USERS_AND_GROUPS ("Manage Users & Groups") on ${ada}`,
  ],
  ["a mutation without a change", [operation(mutation)], 'EDIT_ENTITY ("Edit Entity") on the entity'],
  [
    "the same twice",
    [operation(mutation, tagging(orders)), operation(mutation, tagging(orders))],
    `EDIT_ENTITY_TAGS ("Edit Tags") on ${orders}`,
  ],
  [
    "several entities",
    [orders, clicks].map((each) => operation(mutation, tagging(each))),
    `EDIT_ENTITY_TAGS ("Edit Tags") on ${orders}, and 1 more`,
  ],
])(
  "the message to a token that is denied %s names the privilege that it needs",
  (_, operations, expected) => {
    expect(missingPrivilegeText(operations)).toBe(`the token needs the privilege ${expected}`);
  },
);

test("a token that is denied an aspect of an entity of no kind needs the privilege to edit entities", () => {
  const job = urn("urn:li:notebook:(x,1)");
  expect(missingAspectPrivilegeText(job)).toBe(
    `the token needs the privilege EDIT_ENTITY ("Edit Entity") on ${job}`,
  );
});
