import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A request as it reached the catalog. `body` is empty when there was none.
 * @typedef {{ method: string, path: string, body: string }} RecordedRequest
 */

/**
 * Stands in front of a catalog and notes every request in the order of arrival.
 * @param {string} target
 */
export async function startRecordingProxy(target) {
  /** @type {RecordedRequest[]} */
  const requests = [];
  const server = createServer((request, response) => {
    pass(request, response).catch((/** @type {unknown} */ error) => response.destroy(asError(error)));
  });

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async function pass(request, response) {
    const { method = "GET", url: path = "/", headers } = request;
    const body = (await request.setEncoding("utf8").toArray()).join("");
    requests.push({ method, path, body });
    const answer = await fetch(target + path, {
      method,
      headers: {
        authorization: headers.authorization ?? "",
        "content-type": headers["content-type"] ?? "application/json",
      },
      ...(body !== "" && { body }),
    });
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "application/json",
    });
    response.end(await answer.text());
  }

  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/**
 * The text that the floor reads: two lines for each request, the first with method and path, the second with the
 * body as it was sent. JSON has no line breaks of its own here.
 * @param {readonly RecordedRequest[]} requests
 */
export function recordingText(requests) {
  return requests.map(({ method, path, body }) => `${method} ${path}\n${body}\n`).join("");
}

/** @param {unknown} error */
function asError(error) {
  return error instanceof Error ? error : new Error(String(error));
}
