/** Mutations that create and move glossary terms and nodes, and a check for their URNs. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { isWithin } from "../../store/tree.ts";
import { find } from "../../search/find.ts";
import { isOfType } from "../../registry/entity-urn.ts";
import { isChildOf } from "../entities/glossary.ts";
import { badRequest, datahubError, serverError, unauthorized } from "../errors.ts";
import { newUrn, optionalUrn, requireUrn, type InputMutation, type NewEntity } from "./mutation.ts";
import { addCreator } from "./owners.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser } from "../write-as-user.ts";

type CreateGlossaryEntityInput = NewEntity & { readonly parentNode?: string | null };

interface UpdateParentNodeInput {
  readonly parentNode?: string | null;
  readonly resourceUrn: string;
}

/**
 * The properties in which terms and nodes differ: the title in error messages, the info aspect, and the initial fields of that
 * aspect.
 */
interface GlossaryType {
  readonly type: "glossaryTerm" | "glossaryNode";
  readonly title: string;
  readonly info: "glossaryTermInfo" | "glossaryNodeInfo";
  readonly initial: JsonObject;
}

const term: GlossaryType = {
  type: "glossaryTerm",
  title: "Glossary Term",
  info: "glossaryTermInfo",
  initial: { termSource: "INTERNAL" },
};
const node: GlossaryType = {
  type: "glossaryNode",
  title: "Glossary Node",
  info: "glossaryNodeInfo",
  initial: {},
};

/** Creates a term. No other term in its node may have the same name (CreateGlossaryTermResolver.java). */
export const createGlossaryTerm: InputMutation<CreateGlossaryEntityInput, string | null> = (
  { input },
  context,
) => {
  checkName(input.name, optionalUrn(input.parentNode), context);
  return create(term, input, context);
};

/** Creates a node. Other nodes may have the same name (CreateGlossaryNodeResolver.java). */
export const createGlossaryNode: InputMutation<CreateGlossaryEntityInput, string | null> = (
  { input },
  context,
) => create(node, input, context);

/** Creates a term or node. The parent node need not exist. The user becomes a technical owner. */
function create(
  kind: GlossaryType,
  input: CreateGlossaryEntityInput,
  context: RequestContext,
): string | null {
  const { id, name, description } = input;
  const parentNode = optionalUrn(input.parentNode);
  const urn = newUrn(kind.type, kind.title, id, context);
  if (urn === null) return null;
  if (parentNode !== undefined && !isOfType(parentNode, "glossaryNode"))
    throw serverError(
      `Failed to create ${kind.title.replace(" ", "")} with id: ${id}, name: ${name}`,
      `Failed to create GlossaryNodeUrn from string: ${parentNode}`,
    );
  writeAsUser(context, urn, kind.info, { name, ...kind.initial, definition: description ?? "", parentNode });
  addCreator(urn, context);
  return urn;
}

// For a term at the root, DataHub searches without a filter, so the term's name is compared with the names of all terms.
function checkName(name: string, parentNode: string | undefined, { index, store }: RequestContext): void {
  const filters = parentNode === undefined ? [] : [isChildOf(parentNode)];
  for (const { urn } of find({ types: ["glossaryTerm"], filters }, index))
    if (store.latest(urn, "glossaryTermInfo")?.value["name"] === name)
      throw badRequest("Glossary Term with this name already exists at this level of the Business Glossary");
}

/**
 * Moves a term or node to a different node or to the root. Does not check for duplicate names (UpdateParentNodeResolver.java).
 */
export const updateParentNode: InputMutation<UpdateParentNodeInput> = ({ input }, context) => {
  const { store } = context;
  const urn = requireUrn(input.resourceUrn);
  const parentNode = optionalUrn(input.parentNode);
  if (!entityExists(store, urn)) throw badRequest(`Failed to update ${urn}. ${urn} does not exist.`);
  if (parentNode !== undefined) checkParent(urn, parentNode, context);
  const moved = [term, node].find((each) => isOfType(urn, each.type));
  if (!moved) throw serverError(`Failed to update parentNode. Unsupported resource type ${urn} provided.`);
  const before = store.latest(urn, moved.info)?.value;
  if (!before) throw badRequest(`Info for this ${moved.title} does not yet exist!`);
  writeAsUser(context, urn, moved.info, { ...before, parentNode });
  return true;
};

function checkParent(urn: string, parentNode: string, { store, reader }: RequestContext): void {
  // DataHub does not handle the Java exception that a URN of a different type causes, so the message is generic.
  if (!isOfType(parentNode, "glossaryNode")) throw datahubError("An unknown error occurred.", "SERVER_ERROR");
  if (!entityExists(store, parentNode))
    throw badRequest(
      `Failed to update ${urn}. ${parentNode} either does not exist or is not a glossaryNode.`,
    );
  if (isWithin(parentNode, urn, reader))
    throw badRequest("Cannot move a glossary node under one of its own descendants.");
}

/**
 * Checks that a URN belongs to a glossary term or node.
 * @throws GraphQLError 403 when it does not, because DataHub finds no applicable privilege for other types
 * (GlossaryUtils.canUpdateGlossaryEntity).
 */
export function requireGlossaryEntity(urn: string): void {
  if (!isOfType(urn, "glossaryTerm") && !isOfType(urn, "glossaryNode")) throw unauthorized();
}
