/** A kind of assets, and where its description is kept. */
export interface AssetKind {
  /** Its name in the registry, and in URNs. */
  readonly type: string;
  /** The name of its GraphQL type. */
  readonly typename: string;
  /** The aspect that ingestion writes. */
  readonly ingested: string;
  /** The field of that aspect with the display name. */
  readonly name: string;
  /** The aspect that users edit. */
  readonly edited: string;
}

const rows = [
  ["dataset", "Dataset", "datasetProperties", "name", "editableDatasetProperties"],
  ["container", "Container", "containerProperties", "name", "editableContainerProperties"],
  ["chart", "Chart", "chartInfo", "title", "editableChartProperties"],
  ["dashboard", "Dashboard", "dashboardInfo", "title", "editableDashboardProperties"],
  ["dataFlow", "DataFlow", "dataFlowInfo", "name", "editableDataFlowProperties"],
  ["dataJob", "DataJob", "dataJobInfo", "name", "editableDataJobProperties"],
  ["mlModel", "MLModel", "mlModelProperties", "name", "editableMlModelProperties"],
  ["mlModelGroup", "MLModelGroup", "mlModelGroupProperties", "name", "editableMlModelGroupProperties"],
  [
    "mlFeatureTable",
    "MLFeatureTable",
    "mlFeatureTableProperties",
    "name",
    "editableMlFeatureTableProperties",
  ],
  ["notebook", "Notebook", "notebookInfo", "title", "editableNotebookProperties"],
] as const;

/** The kinds of assets that GraphQL serves. */
export const assetKinds: readonly AssetKind[] = rows.map(([type, typename, ingested, name, edited]) => ({
  type,
  typename,
  ingested,
  name,
  edited,
}));
