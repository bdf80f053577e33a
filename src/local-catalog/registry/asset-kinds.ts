/** Lists the asset kinds that GraphQL serves, and the aspects that contain the names and descriptions of assets. */

import { graphqlTypeNamed } from "./graphql-types.ts";

/** An asset kind, and the aspects that contain the names and descriptions of its assets. */
export interface AssetKind {
  /** The kind's name in the registry and in URNs. */
  readonly type: string;
  readonly typename: string;
  /** The aspect that ingestion writes. */
  readonly ingested: string;
  /** The field in the ingested aspect that contains the display name. */
  readonly name: string;
  /** The aspect that users edit. */
  readonly edited: string;
}

const rows = [
  ["dataset", "datasetProperties", "name"],
  ["container", "containerProperties", "name"],
  ["chart", "chartInfo", "title"],
  ["dashboard", "dashboardInfo", "title"],
  ["dataFlow", "dataFlowInfo", "name"],
  ["dataJob", "dataJobInfo", "name"],
  ["mlModel", "mlModelProperties", "name"],
  ["mlModelGroup", "mlModelGroupProperties", "name"],
  ["mlFeatureTable", "mlFeatureTableProperties", "name"],
  ["notebook", "notebookInfo", "title"],
] as const;

/** The asset kinds that GraphQL serves. */
export const assetKinds: readonly AssetKind[] = rows.map(([type, ingested, name]) => ({
  type,
  typename: graphqlTypeNamed(type)?.typename ?? "",
  ingested,
  name,
  edited: `editable${type.charAt(0).toUpperCase()}${type.slice(1)}Properties`,
}));
