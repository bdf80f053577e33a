import { entityExists } from "../../store/aspect-write.ts";
import { urnKey } from "../entities/source.ts";
import { badRequest } from "../errors.ts";
import { requireUrn, requireUrnText, writeAsUser, type Mutation } from "./mutation.ts";
import { isValidUrn } from "../../registry/urn-syntax.ts";
import { addCreator } from "./owners.ts";

interface CreateTagArgs {
  readonly input: {
    readonly id?: string | null;
    readonly name: string;
    readonly description?: string | null;
  };
}

interface SetTagColorArgs {
  readonly urn: string;
  readonly colorHex: string;
}

/** Creates a tag, with the user of the request as its technical owner (CreateTagResolver.java). */
export const createTag: Mutation<CreateTagArgs, string | null> = ({ input }, context) => {
  const urn = requireUrnText(`urn:li:tag:${input.id ?? context.newId()}`);
  if (!isValidUrn(urn)) return null;
  if (entityExists(context.store, urn)) throw badRequest("This Tag already exists!");
  writeAsUser(context, urn, "tagProperties", {
    name: input.name,
    ...(typeof input.description === "string" ? { description: input.description } : {}),
  });
  addCreator(urn, context);
  return urn;
};

/** Sets a tag's color. A tag without properties is named by its id (SetTagColorResolver.java). */
export const setTagColor: Mutation<SetTagColorArgs> = ({ urn: given, colorHex }, context) => {
  const urn = requireUrn(given);
  if (!entityExists(context.store, urn))
    throw badRequest(`Failed to set Tag ${urn} color. Tag does not exist.`);
  const before = context.store.latest(urn, "tagProperties")?.value ?? { name: urnKey(urn) };
  writeAsUser(context, urn, "tagProperties", { ...before, colorHex });
  return true;
};
