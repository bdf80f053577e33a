/** Provides URNs and a ref for the sample arguments of problems. */

export const orders = "urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)";
export const pii = "urn:li:tag:pii";
export const finance = "urn:li:corpGroup:finance";
export const alice = "urn:li:corpuser:alice";
export const applied = "refs/datahub-gitops/applied";
