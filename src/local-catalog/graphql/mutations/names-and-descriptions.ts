/** Mutations that set names and descriptions for entities and columns. */

import type { JsonObject } from "../../../model/json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { entitySource, urnKey, type EntitySource } from "../entities/source.ts";
import { badRequest, serverError } from "../errors.ts";
import { stringAt } from "../../json.ts";
import { isNameTaken, nameTakenError } from "./domain-definitions.ts";
import { requireUrn, userStamp, type InputMutation, type Mutation } from "./mutation.ts";
import { checkColumn, type Target, withColumnInfo, withSiblings } from "./target.ts";
import { assetKinds, type AssetKind } from "../../registry/asset-kinds.ts";
import { entityTypeOfUrn } from "../../registry/entity-types.ts";
import type { RequestContext } from "../request-context.ts";
import { writeAsUser } from "../write-as-user.ts";

interface UpdateNameInput {
  readonly name: string;
  readonly urn: string;
}

type UpdateDescriptionInput = Target & { readonly description: string };

/**
 * The aspect and field that store a name or description for an entity type, and the error message if an entity lacks the aspect.
 */
interface TextPlace {
  readonly aspect: string;
  readonly field: string;
  readonly missing?: string;
}

// The aspects and fields that contain names. `updateName` cannot rename tags or users (UpdateNameResolver.java).
const names: Readonly<Record<string, TextPlace>> = {
  domain: { aspect: "domainProperties", field: "name", missing: "Domain does not exist" },
  corpGroup: { aspect: "corpGroupInfo", field: "displayName", missing: "Group does not exist" },
  dataset: { aspect: "editableDatasetProperties", field: "name" },
  glossaryTerm: { aspect: "glossaryTermInfo", field: "name", missing: "Glossary Term does not exist" },
  glossaryNode: { aspect: "glossaryNodeInfo", field: "name", missing: "Glossary Node does not exist" },
};

const describedAssets = new Set(["dataset", "container", "mlModel", "mlModelGroup", "mlFeatureTable"]);

const describedIn = (aspect: string): TextPlace => ({ aspect, field: "description" });

// The aspects and fields that contain descriptions. Charts, dashboards, flows and jobs have separate mutations
// (DescriptionUtils.java).
const descriptions: Readonly<Record<string, TextPlace>> = {
  ...Object.fromEntries(
    assetKinds
      .filter(({ type }) => describedAssets.has(type))
      .map(({ type, edited }) => [type, describedIn(edited)]),
  ),
  dataProduct: describedIn("dataProductProperties"),
  domain: { ...describedIn("domainProperties"), missing: "Properties for this Domain do not yet exist!" },
  tag: describedIn("tagProperties"),
  corpGroup: describedIn("corpGroupEditableInfo"),
  glossaryTerm: {
    aspect: "glossaryTermInfo",
    field: "definition",
    missing: "Properties for this Glossary Term do not yet exist!",
  },
  glossaryNode: { aspect: "glossaryNodeInfo", field: "definition", missing: "Glossary Node does not exist" },
};

/** Sets the display name of an existing domain, group, dataset, glossary term or glossary node (UpdateNameResolver.java). */
export const updateName: InputMutation<UpdateNameInput> = ({ input: { name, urn: given } }, context) => {
  const urn = requireUrn(given);
  checkEntity(urn, context);
  const type = entityTypeOfUrn(urn)?.name ?? "";
  const place = names[type];
  if (!place) throw serverError(`Failed to update name. Unsupported resource type ${urn} provided`);
  const before = valueAt(place, urn, context);
  if (type === "domain" && isNameTaken(context.index, name, stringAt(before, "parentDomain")))
    throw nameTakenError(name);
  // DataHub replaces a dataset's entire aspect, so an edited description is lost (UpdateNameResolver.updateDatasetName).
  const kept = type === "dataset" ? { lastModified: userStamp(context) } : before;
  writeAsUser(context, urn, place.aspect, { ...kept, [place.field]: name });
  return true;
};

/**
 * Sets the editable description of an entity or a dataset's column (UpdateDescriptionResolver.java). As in DataHub, a request
 * without `subResourceType` sets the description of the dataset itself. If a column's description cannot be set, the mutation
 * tries the same column in the dataset's siblings.
 */
export const updateDescription: InputMutation<UpdateDescriptionInput> = ({ input }, context) => {
  const urn = requireUrn(input.resourceUrn);
  const type = entityTypeOfUrn(urn)?.name ?? "";
  const place = descriptions[type];
  if (type === "dataset" && typeof input.subResourceType === "string") describeColumn(input, context);
  else if (place) {
    checkEntity(urn, context);
    // A tag's properties require a name.
    const before = valueAt(place, urn, context) ?? (type === "tag" ? { name: urnKey(urn) } : {});
    writeAsUser(context, urn, place.aspect, { ...before, [place.field]: input.description });
  } else throw serverError(`Failed to update description. Unsupported resource type ${urn} provided`);
  return true;
};

function valueAt(
  { aspect, missing }: TextPlace,
  urn: string,
  { store }: RequestContext,
): JsonObject | undefined {
  const value = store.latest(urn, aspect)?.value;
  if (!value && missing !== undefined) throw badRequest(missing);
  return value;
}

function describeColumn(
  { description: text, ...target }: UpdateDescriptionInput,
  context: RequestContext,
): void {
  withSiblings(target, context, ({ resourceUrn, subResource }) => {
    const column = subResource ?? "";
    checkEntity(resourceUrn, context);
    checkColumn(resourceUrn, column, context);
    const before = context.store.latest(resourceUrn, "editableSchemaMetadata")?.value ?? {};
    const after = withColumnInfo(before, column, (info) => ({ ...info, description: text }));
    writeAsUser(context, resourceUrn, "editableSchemaMetadata", after);
  });
}

function checkEntity(urn: string, context: RequestContext): void {
  if (!entityExists(context.store, urn)) throw badRequest(`Failed to update ${urn}. ${urn} does not exist.`);
}

interface UpdateAssetArgs {
  readonly urn: string;
  readonly input: {
    readonly editableProperties?: { readonly description: string; readonly name?: string | null } | null;
  };
}

const updated: ReadonlySet<string> = new Set(["dataset", "chart", "dashboard", "dataFlow", "dataJob"]);

/** Resolves `updateDataset`, `updateChart`, `updateDashboard`, `updateDataFlow` and `updateDataJob`. */
export const assetUpdates: Readonly<Record<string, Mutation<UpdateAssetArgs, EntitySource>>> =
  Object.fromEntries(
    assetKinds
      .filter(({ type }) => updated.has(type))
      .map((kind) => [`update${kind.typename}`, updating(kind)]),
  );

/**
 * Replaces an asset's edited properties, so a name that the input omits is lost. Does not check whether the asset exists. If it
 * does not exist, the write creates it (DatasetUpdateInputMapper.java, ChartUpdateInputMapper.java and similar mappers).
 */
function updating({ edited }: AssetKind): Mutation<UpdateAssetArgs, EntitySource> {
  return ({ urn: given, input: { editableProperties } }, context) => {
    const urn = requireUrn(given);
    if (!editableProperties) return entitySource(urn);
    const { description, name } = editableProperties;
    const stamp = userStamp(context);
    writeAsUser(context, urn, edited, { description, name, created: stamp, lastModified: stamp });
    return entitySource(urn);
  };
}
