/** Defines the response for `GET /config`. */

/** The DataHub release that the local catalog emulates. */
const version = "v1.7.0";

/** Fields that DataHub's official clients require or use. Telemetry is off (metadata-service/servlet Config.java). */
export const serverConfig = {
  noCode: "true",
  models: {},
  versions: { "acryldata/datahub": { version, commit: "datahub-gitops-local-catalog" } },
  retention: "true",
  statefulIngestionCapable: true,
  patchCapable: true,
  supportsImpactAnalysis: false,
  datasetUrnNameCasing: false,
  timeZone: "UTC",
  telemetry: { enabledCli: false, enabledIngestion: false },
  managedIngestion: { enabled: false, defaultCliVersion: version.slice(1) },
  datahub: { serverType: "prod", serverEnv: "core" },
} as const;
