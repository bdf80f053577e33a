/** Mutations that set the editable properties of users and groups. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { badRequest, notFound } from "../errors.ts";
import { requireUrn, type Mutation } from "./mutation.ts";
import { checkPictureLink } from "../../registry/picture-link.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser } from "../write-as-user.ts";

interface UpdateProfileArgs {
  readonly urn: string;
  readonly input: Readonly<Record<string, string | readonly string[] | null>>;
}

/**
 * Sets a user's editable properties. A missing or null value leaves the property unchanged, and an empty string clears it. Does
 * not check whether the user exists. If the user does not exist, the write creates the entity (CorpUserType.java).
 */
export const updateCorpUserProperties: Mutation<UpdateProfileArgs, EntitySource> = (
  { urn, input: { platformUrns, personaUrn, ...input } },
  context,
) => {
  if (typeof personaUrn === "string" && !entityExists(context.store, requireUrn(personaUrn)))
    throw notFound(`Failed to update user ${urn}. Persona ${personaUrn} does not exist.`);
  const renamed = { ...input, platforms: platformUrns ?? null, persona: personaUrn ?? null };
  return writeProfile({ urn, input: renamed }, "corpuser", "corpUserEditableInfo", context);
};

/** Sets a group's editable properties in the same way as a user's (CorpGroupType.java). */
export const updateCorpGroupProperties: Mutation<UpdateProfileArgs, EntitySource> = (args, context) =>
  writeProfile(args, "corpGroup", "corpGroupEditableInfo", context);

function writeProfile(
  args: UpdateProfileArgs,
  type: string,
  aspect: string,
  context: RequestContext,
): EntitySource {
  const { input } = args;
  const urn = requireUrn(args.urn);
  const source = entitySource(urn);
  if (!isOfType(urn, type)) throw badRequest(`Unknown aspect ${aspect} for entity of ${urn}`);
  const given = Object.entries(input).filter(([, value]) => value !== null);
  const after: JsonObject = { ...context.store.latest(urn, aspect)?.value, ...Object.fromEntries(given) };
  checkPictureLink(aspect, after);
  writeAsUser(context, urn, aspect, after);
  return source;
}
