import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { nameTaken } from "./domain-definitions.ts";
import { isNameTaken } from "./domain-tree.ts";
import { badRequest, serverError } from "../errors.ts";
import { stringAt } from "../../json.ts";
import { requireUrn, userStamp, writeAsUser, type Mutation } from "./mutation.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import type { RequestContext } from "../request-context.ts";

interface UpdateNameArgs {
  readonly input: { readonly name: string; readonly urn: string };
}

type Rename = (urn: string, name: string, context: RequestContext) => void;

// DataHub cannot rename tags and users by this mutation.
const renames: Readonly<Record<string, Rename>> = {
  domain(urn, name, context) {
    const before = required(urn, "domainProperties", "Domain does not exist", context);
    if (isNameTaken(context.index, name, stringAt(before, "parentDomain"))) throw nameTaken(name);
    writeAsUser(context, urn, "domainProperties", { ...before, name });
  },
  corpGroup(urn, name, context) {
    const before = required(urn, "corpGroupInfo", "Group does not exist", context);
    writeAsUser(context, urn, "corpGroupInfo", { ...before, displayName: name });
  },
  // An edited description is lost, because the aspect is replaced (UpdateNameResolver.updateDatasetName).
  dataset(urn, name, context) {
    const lastModified = userStamp(context);
    writeAsUser(context, urn, "editableDatasetProperties", { name, lastModified });
  },
  glossaryTerm(urn, name, context) {
    const before = required(urn, "glossaryTermInfo", "Glossary Term does not exist", context);
    writeAsUser(context, urn, "glossaryTermInfo", { ...before, name });
  },
  glossaryNode(urn, name, context) {
    const before = required(urn, "glossaryNodeInfo", "Glossary Node does not exist", context);
    writeAsUser(context, urn, "glossaryNodeInfo", { ...before, name });
  },
};

/** Sets the display name of a domain, group, dataset or glossary entry that exists (UpdateNameResolver.java). */
export const updateName: Mutation<UpdateNameArgs> = ({ input }, context) => {
  const urn = requireUrn(input.urn);
  if (!entityExists(context.store, urn)) throw badRequest(`Failed to update ${urn}. ${urn} does not exist.`);
  const rename = renames[entityTypeOfUrn(urn)?.name ?? ""];
  if (!rename) throw serverError(`Failed to update name. Unsupported resource type ${urn} provided`);
  rename(urn, input.name, context);
  return true;
};

function required(urn: string, aspect: string, missing: string, context: RequestContext): JsonObject {
  const value = context.store.latest(urn, aspect)?.value;
  if (!value) throw badRequest(missing);
  return value;
}
