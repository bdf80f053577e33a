import { onTestFinished } from "vitest";
import { startStub, type StubAnswer } from "./stub-server.ts";

/**
 * The address of a server in front of another one. It answers some requests itself, and passes on those of which `answer`
 * makes nothing, or which that has passed on already. `config` is what it says of itself. Ends with the test.
 */
export async function inFrontOf(target: string, answer: StubAnswer, config?: object): Promise<string> {
  const server = await startStub(async (request, response, incoming) => {
    const own = await answer(request, response, incoming);
    if (own !== undefined || response.headersSent || response.destroyed) return own;
    await incoming.passTo(target, response);
    return undefined;
  }, config);
  onTestFinished(() => server.close());
  return server.url;
}

/** What is answered where a gateway lets no request to OpenAPI through. */
export const withoutOpenApi: StubAnswer = (_, response, { url }) => {
  if (!url.includes("/openapi/")) return undefined;
  response.statusCode = 404;
  return {};
};

/** What a server answers that has neither conditional writes nor OpenAPI's `batchGet`, as DataHub before 0.14. */
export const withoutBatches: StubAnswer = (asked, response, incoming) => {
  const urn = "urn:li:corpuser:datahub";
  if (incoming.url.startsWith(`/entitiesV2/${encodeURIComponent(urn)}?`))
    return { urn, aspects: { corpUserInfo: { name: "corpUserInfo", value: { active: true } } } };
  return withoutOpenApi(asked, response, incoming);
};
