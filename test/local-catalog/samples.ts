import { alice, folder, orders, proposal } from "./support.ts";

export const finances = "urn:li:glossaryNode:finances";
export const revenue = "urn:li:glossaryTerm:finances.revenue";
export const margin = "urn:li:glossaryTerm:margin";

/** A node, a term in it, and a term at the root that has no name. */
export const glossary: readonly object[] = [
  proposal(finances, "glossaryNodeInfo", { definition: "Money.", name: "Finances" }),
  proposal(revenue, "glossaryTermInfo", {
    definition: "What comes in.",
    termSource: "INTERNAL",
    name: "Revenue",
    parentNode: finances,
  }),
  proposal(margin, "glossaryTermInfo", { definition: "What is left.", termSource: "INTERNAL" }),
];

export const flow = "urn:li:dataFlow:(airflow,daily,prod)";
export const chart = "urn:li:chart:(looker,sales)";
export const dashboard = "urn:li:dashboard:(looker,board)";
export const job = `urn:li:dataJob:(${flow},load)`;
export const model = "urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)";
const group = "urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,churn,PROD)";
const features = "urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)";

const stamps = { created: { time: 0, actor: alice }, lastModified: { time: 0, actor: alice } };
const described = { title: "Sample", description: "Ingested.", lastModified: stamps };
const plain = { name: "Sample", description: "Ingested." };

/** One asset of each kind: its GraphQL type, the value of EntityType, and the aspects that describe it. */
export const sampleAssets = [
  ["Dataset", "DATASET", orders, "datasetProperties", plain, "editableDatasetProperties"],
  ["Container", "CONTAINER", folder, "containerProperties", plain, "editableContainerProperties"],
  ["Chart", "CHART", chart, "chartInfo", described, "editableChartProperties"],
  ["Dashboard", "DASHBOARD", dashboard, "dashboardInfo", described, "editableDashboardProperties"],
  ["DataFlow", "DATA_FLOW", flow, "dataFlowInfo", plain, "editableDataFlowProperties"],
  [
    "DataJob",
    "DATA_JOB",
    job,
    "dataJobInfo",
    { ...plain, type: { string: "COMMAND" } },
    "editableDataJobProperties",
  ],
  ["MLModel", "MLMODEL", model, "mlModelProperties", plain, "editableMlModelProperties"],
  ["MLModelGroup", "MLMODEL_GROUP", group, "mlModelGroupProperties", plain, "editableMlModelGroupProperties"],
  [
    "MLFeatureTable",
    "MLFEATURE_TABLE",
    features,
    "mlFeatureTableProperties",
    { description: "Ingested." },
    "editableMlFeatureTableProperties",
  ],
] as const;

/** The records of the sample assets, as ingestion writes them. */
export const samples: readonly object[] = sampleAssets.map(([, , urn, aspect, value]) =>
  proposal(urn, aspect, value),
);
