/** Defines the kind for trained ML models. */

import { assetKind } from "./asset.ts";

export const mlModel = assetKind({
  name: "MLModel",
  noun: "ML model",
  plural: "ML models",
  entityType: "mlModel",
  typename: "MLModel",
  searchType: "MLMODEL",
  page: "mlModels",
  describedAs: "Predicts which customers leave.",
  examples: {
    urn: ["urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)"],
    platform: ["mlflow", "sagemaker"],
    name: ["churn"],
  },
});
