import { once } from "node:events";
import { createServer } from "node:http";

/**
 * A request as it reached the catalog. `body` is empty when there was none.
 * @typedef {{ method: string, path: string, body: string }} ProxiedRequest
 */

/**
 * Stands in front of a catalog, and shows each request to `look` in the order of arrival. Where it answers with a text of
 * JSON, that is the answer; else the request is handed on, and the answer is shown to `lookAtAnswer`.
 * @param {string} target
 * @param {(request: ProxiedRequest) => string | undefined} look
 * @param {(body: string) => void} [lookAtAnswer]
 */
export async function startProxy(target, look, lookAtAnswer) {
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
    const own = look({ method, path, body });
    if (own !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(own);
      return;
    }
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
    const text = await answer.text();
    lookAtAnswer?.(text);
    response.end(text);
  }

  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** @param {unknown} error */
function asError(error) {
  return error instanceof Error ? error : new Error(String(error));
}
