/** Defines the kind for groups of ML models. */

import { assetKind } from "./asset.ts";

export const mlModelGroup = assetKind({
  name: "MLModelGroup",
  noun: "ML model group",
  plural: "ML model groups",
  entityType: "mlModelGroup",
  typename: "MLModelGroup",
  searchType: "MLMODEL_GROUP",
  page: "mlModelGroup",
  describedAs: "Predicts which customers stay.",
  examples: {
    urn: ["urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,retention,PROD)"],
    platform: ["mlflow", "sagemaker"],
    name: ["retention"],
  },
});
