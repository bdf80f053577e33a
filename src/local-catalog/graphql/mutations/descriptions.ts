import { entityExists } from "../../store/aspect-write.ts";
import { withColumnInfo } from "./column-info.ts";
import { urnKey } from "../entities/source.ts";
import { badRequest, serverError } from "../errors.ts";
import { requireUrn, writeAsUser, type Mutation } from "./mutation.ts";
import { checkColumn, type Target, withSiblings } from "./target.ts";
import { assetKinds } from "../../registry/asset-kinds.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import type { RequestContext } from "../request-context.ts";

interface UpdateDescriptionArgs {
  readonly input: Target & { readonly description: string };
}

/** The aspect and field of an entity type's description, and the error if the entity does not have that aspect. */
interface DescriptionPlace {
  readonly aspect: string;
  readonly field?: string;
  readonly missing?: string;
}

const describedAssets = new Set(["dataset", "container", "mlModel", "mlModelGroup", "mlFeatureTable"]);

// DescriptionUtils.java. Charts, dashboards, flows and jobs have mutations of their own.
const places: Readonly<Record<string, DescriptionPlace>> = {
  ...Object.fromEntries(
    assetKinds
      .filter(({ type }) => describedAssets.has(type))
      .map(({ type, edited }) => [type, { aspect: edited }]),
  ),
  dataProduct: { aspect: "dataProductProperties" },
  domain: { aspect: "domainProperties", missing: "Properties for this Domain do not yet exist!" },
  tag: { aspect: "tagProperties" },
  corpGroup: { aspect: "corpGroupEditableInfo" },
  glossaryTerm: {
    aspect: "glossaryTermInfo",
    field: "definition",
    missing: "Properties for this Glossary Term do not yet exist!",
  },
  glossaryNode: {
    aspect: "glossaryNodeInfo",
    field: "definition",
    missing: "Glossary Node does not exist",
  },
};

/**
 * Sets the editable description of an entity or of a dataset's column (UpdateDescriptionResolver.java). As in DataHub, a
 * column without its `subResourceType` describes the dataset, and one that cannot be described is tried in the dataset's siblings.
 */
export const updateDescription: Mutation<UpdateDescriptionArgs> = ({ input }, context) => {
  const urn = requireUrn(input.resourceUrn);
  const type = entityTypeOfUrn(urn)?.name ?? "";
  const place = places[type];
  if (type === "dataset" && typeof input.subResourceType === "string") describeColumn(input, context);
  else if (place) describeEntity(urn, input.description, place, context);
  else throw serverError(`Failed to update description. Unsupported resource type ${urn} provided`);
  return true;
};

function describeEntity(
  urn: string,
  description: string,
  { aspect, field = "description", missing }: DescriptionPlace,
  context: RequestContext,
): void {
  checkEntity(urn, context);
  const before = context.store.latest(urn, aspect)?.value;
  if (!before && missing !== undefined) throw badRequest(missing);
  // A tag's properties require a name.
  const fresh = aspect === "tagProperties" ? { name: urnKey(urn) } : {};
  writeAsUser(context, urn, aspect, { ...(before ?? fresh), [field]: description });
}

function describeColumn(
  { description, ...target }: UpdateDescriptionArgs["input"],
  context: RequestContext,
): void {
  withSiblings(target, context, ({ resourceUrn, subResource }) => {
    const column = subResource ?? "";
    checkEntity(resourceUrn, context);
    checkColumn(resourceUrn, column, context);
    const before = context.store.latest(resourceUrn, "editableSchemaMetadata")?.value ?? {};
    const after = withColumnInfo(before, column, (info) => ({ ...info, description }));
    writeAsUser(context, resourceUrn, "editableSchemaMetadata", after);
  });
}

function checkEntity(urn: string, context: RequestContext): void {
  if (!entityExists(context.store, urn)) throw badRequest(`Failed to update ${urn}. ${urn} does not exist.`);
}
