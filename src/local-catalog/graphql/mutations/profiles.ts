import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { badRequest, notFound } from "../errors.ts";
import { requireUrn, writeAsUser, type Mutation } from "./mutation.ts";
import type { RequestContext } from "../request-context.ts";

interface UpdateProfileArgs {
  readonly urn: string;
  readonly input: Readonly<Record<string, string | readonly string[] | null>>;
}

/**
 * Sets what people write about a user; what is left out or null stays, an empty text clears. Whether the user
 * exists is not checked: writing makes the entity (CorpUserType.java).
 */
export const updateCorpUserProperties: Mutation<UpdateProfileArgs, EntitySource> = (
  { urn, input: { platformUrns, personaUrn, ...input } },
  context,
) => {
  if (typeof personaUrn === "string" && !entityExists(context.store, requireUrn(personaUrn)))
    throw notFound(`Failed to update user ${urn}. Persona ${personaUrn} does not exist.`);
  const renamed = { ...input, platforms: platformUrns ?? null, persona: personaUrn ?? null };
  return writeProfile(urn, "corpuser", "corpUserEditableInfo", renamed, context);
};

/** The same for a group (CorpGroupType.java). */
export const updateCorpGroupProperties: Mutation<UpdateProfileArgs, EntitySource> = (
  { urn, input },
  context,
) => writeProfile(urn, "corpGroup", "corpGroupEditableInfo", input, context);

function writeProfile(
  given: string,
  type: string,
  aspect: string,
  input: UpdateProfileArgs["input"],
  context: RequestContext,
): EntitySource {
  const urn = requireUrn(given);
  const source = entitySource(urn);
  if (!urn.startsWith(`urn:li:${type}:`)) throw badRequest(`Unknown aspect ${aspect} for entity of ${urn}`);
  const set = Object.entries(input).filter(([, value]) => value !== null);
  const before: JsonObject | undefined = context.store.latest(urn, aspect)?.value;
  writeAsUser(context, urn, aspect, { ...before, ...Object.fromEntries(set) });
  return source;
}
