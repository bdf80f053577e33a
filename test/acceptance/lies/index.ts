import { type JsonObject, textOf } from "../../../src/model/json.ts";
import { namesForAnyVersion, namesOfWrites, queryFields } from "../../support/sent-documents.ts";
import type { Lie } from "./lie.ts";
import { mutationAnswersNull, mutationDoesNothing, mutationOf } from "./mutations.ts";
import { anyVersionLies, patchLies, proposalLies } from "./proposals.ts";
import { queryLies, restLies } from "./reads.ts";

const proposal = "ingestProposal ";
const names = [...new Set([...namesOfWrites("graphql"), ...namesOfWrites("conditional")])];
const mutations = names.filter((name) => !name.startsWith(proposal));
const aspectsIn = (operations: readonly string[]): readonly string[] =>
  operations.filter((name) => name.startsWith(proposal)).map((name) => name.slice(proposal.length));

/** Another value, or one of several, for the operations that have such. */
const editedMutations: readonly Lie[] = [
  mutationOf("setDomain", "stores another value", ({ value }) => ({
    value: textOf(value).replace(/b$/, "a"),
  })),
  mutationOf("addOwner", "stores another value", (input) => ({
    ...input,
    ownershipTypeUrn: "urn:li:ownershipType:__system__business_owner",
  })),
  mutationOf("addTags", "drops one of several", (input) => lessOne(input, "tagUrns")),
  mutationOf("addTags", "writes to the dataset instead of its column", wholeDataset),
  mutationOf("removeTag", "writes to the dataset instead of its column", wholeDataset),
  mutationOf("batchRemoveOwners", "drops one of several", (input) => lessOne(input, "ownerUrns")),
];

function lessOne(input: JsonObject, list: string): JsonObject | undefined {
  const elements = input[list];
  return Array.isArray(elements) && elements.length > 1
    ? { ...input, [list]: elements.slice(0, -1) }
    : undefined;
}

function wholeDataset({ subResource: _, subResourceType: _type, ...input }: JsonObject): JsonObject {
  return input;
}

/** Every lie: each write of the product in each way, and each read. */
export const lies: readonly Lie[] = [
  ...mutations.flatMap((name) => [mutationDoesNothing(name), mutationAnswersNull(name)]),
  ...editedMutations,
  ...aspectsIn(names).flatMap(proposalLies),
  ...aspectsIn(namesForAnyVersion).flatMap(anyVersionLies),
  ...patchLies,
  ...queryFields.flatMap(queryLies),
  ...restLies("GET /entitiesV2", "/entitiesV2/"),
  ...restLies("POST batchGet", "/batchGet"),
];
