/** Defines the kind for ML feature tables. Their URNs have no environment. */

import { assetKind } from "./asset.ts";

export const mlFeatureTable = assetKind({
  name: "MLFeatureTable",
  noun: "ML feature table",
  plural: "ML feature tables",
  entityType: "mlFeatureTable",
  typename: "MLFeatureTable",
  searchType: "MLFEATURE_TABLE",
  page: "featureTables",
  describedAs: "User features, such as the country.",
  examples: {
    urn: ["urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,users)"],
    platform: ["feast", "sagemaker"],
    name: ["users"],
  },
});
