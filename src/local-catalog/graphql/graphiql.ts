/** Serves GraphiQL, a GraphQL editor that runs in the browser. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { graphqlPath } from "./endpoint.ts";

/** Responds to a browser with the GraphiQL page. */
export type GraphiqlPage = (response: ServerResponse) => Promise<void>;

/** Whether a request is for the GraphiQL page: a browser's GET request to the root or the GraphQL endpoint. */
export function isPageRequest({ method, headers }: IncomingMessage, path: string): boolean {
  return (
    method === "GET" &&
    (path === "/" || path === graphqlPath) &&
    headers.accept?.includes("text/html") === true
  );
}

/**
 * Serves GraphiQL from its package, without network access, and renders the page on the first request. Opening the page requires
 * no token. If `auth` is true, the page explains how to enter the token for its requests.
 */
export function graphiqlPage(auth: boolean): GraphiqlPage {
  let made: Promise<string> | undefined;
  return async (response) => {
    made ??= makePage(auth);
    response.writeHead(200, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": onlyThisServer,
      "Cache-Control": "no-cache",
    });
    response.end(await made);
  };
}

// The page contains its scripts and styles inline, and sends requests only to this server.
const onlyThisServer = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  "worker-src blob:",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

async function makePage(auth: boolean): Promise<string> {
  // The package is nine megabytes, so it is loaded only when a browser requests the page.
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const options = {
    title: "Local catalog",
    endpoint: graphqlPath,
    defaultQuery: `${auth ? tokenHint : ""}${firstQuery}`,
    // Without this option, the package shows its own query instead of the default query.
    initialQuery: null,
    ...(auth ? { headers: '{ "Authorization": "Bearer TOKEN" }' } : {}),
    // Without persistence, the browser forgets the token when the tab is closed.
    shouldPersistHeaders: false,
  };
  return renderGraphiQL(options);
}

const tokenHint = `# This catalog requires a token. In "Headers"
# below, replace TOKEN with the value of
# DATAHUB_GMS_TOKEN if it was set at startup, or
# with the content of the file "token" in the
# data directory:
#   cat .datahub-gitops/catalog/token
# Then refetch the schema with the two round
# arrows at the lower left.

`;

const firstQuery = `query Everything {
  searchAcrossEntities(input: { query: "*" }) {
    total
    searchResults {
      entity {
        urn
        type
      }
    }
  }
}
`;
