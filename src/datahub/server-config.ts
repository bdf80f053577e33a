import { CatalogError } from "../model/catalog-error.ts";
import { isJsonObject } from "../model/json.ts";
import { type ClientOptions, defaultTimeout } from "./client-options.ts";
import type { Endpoint } from "./endpoint.ts";
import { catalogError, httpError } from "./failure.ts";

/**
 * Asks whether a DataHub answers at the endpoint, by the field that its own clients look for
 * (metadata-ingestion rest_emitter.py, `noCode`). Throws `CatalogError` when none does.
 */
export async function checkServer(
  endpoint: Endpoint,
  { token, timeout = defaultTimeout }: ClientOptions,
): Promise<void> {
  const config = await fetchConfig(endpoint, token, timeout);
  if (isJsonObject(config) && config["noCode"] === "true") return;
  const advice = `${endpoint.address} is no metadata service of a DataHub; through the frontend the address ends in /api/gms`;
  throw new CatalogError("not-datahub", advice);
}

async function fetchConfig(endpoint: Endpoint, token: string | undefined, timeout: number): Promise<unknown> {
  try {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(endpoint.config, {
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeout),
    });
    if (!response.ok) throw httpError(response.status, endpoint);
    return await response.json();
  } catch (error) {
    throw catalogError(error, endpoint, timeout);
  }
}
