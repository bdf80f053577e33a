import { assetKinds, type AssetKind } from "../../registry/asset-kinds.ts";
import { entitySource, type EntitySource } from "../entities/source.ts";
import { requireUrn, userStamp, writeAsUser, type Mutation } from "./mutation.ts";

interface UpdateAssetArgs {
  readonly urn: string;
  readonly input: {
    readonly editableProperties?: { readonly description: string; readonly name?: string | null } | null;
  };
}

const updated: ReadonlySet<string> = new Set(["dataset", "chart", "dashboard", "dataFlow", "dataJob"]);

/** `updateDataset`, `updateChart`, `updateDashboard`, `updateDataFlow` and `updateDataJob`. */
export const assetUpdates: Readonly<Record<string, Mutation<UpdateAssetArgs, EntitySource>>> =
  Object.fromEntries(
    assetKinds
      .filter(({ type }) => updated.has(type))
      .map((kind) => [`update${kind.typename}`, updating(kind)]),
  );

/**
 * Replaces what users edited of an asset. So a name that is not given is lost. The asset is not checked: the write creates it if
 * it does not exist (DatasetUpdateInputMapper.java, ChartUpdateInputMapper.java and others).
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
