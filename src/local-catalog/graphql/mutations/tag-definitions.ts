/** Mutations that create tags and set their colors. */

import { entityExists } from "../../store/aspect-write.ts";
import { urnKey } from "../entities/source.ts";
import { badRequest } from "../errors.ts";
import { newUrn, requireUrn, type InputMutation, type Mutation, type NewEntity } from "./mutation.ts";
import { addCreator } from "./owners.ts";
import { writeAsUser } from "../write-as-user.ts";

interface SetTagColorArgs {
  readonly urn: string;
  readonly colorHex: string;
}

/** Creates a tag. The requesting user becomes its technical owner (CreateTagResolver.java). */
export const createTag: InputMutation<NewEntity, string | null> = ({ input }, context) => {
  const urn = newUrn("tag", "Tag", input.id, context);
  if (urn === null) return null;
  writeAsUser(context, urn, "tagProperties", { name: input.name, description: input.description });
  addCreator(urn, context);
  return urn;
};

/** Sets a tag's color. If the tag has no properties, its id becomes its name (SetTagColorResolver.java). */
export const setTagColor: Mutation<SetTagColorArgs> = ({ urn: given, colorHex }, context) => {
  const urn = requireUrn(given);
  if (!entityExists(context.store, urn))
    throw badRequest(`Failed to set Tag ${urn} color. Tag does not exist.`);
  const before = context.store.latest(urn, "tagProperties")?.value ?? { name: urnKey(urn) };
  writeAsUser(context, urn, "tagProperties", { ...before, colorHex });
  return true;
};
