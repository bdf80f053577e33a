/** Serves GraphiQL, the GraphQL page for browsers. */

import type { IncomingMessage, ServerResponse } from "node:http";
import { graphqlPath } from "./endpoint.ts";

/** Responds to a browser with the GraphiQL page. */
export type GraphiqlPage = (response: ServerResponse) => Promise<void>;

/** Whether a request to this path is for the page: a GET from a browser, to the root or the GraphQL endpoint. */
export function isPageRequest({ method, headers }: IncomingMessage, path: string): boolean {
  return (
    method === "GET" &&
    (path === "/" || path === graphqlPath) &&
    headers.accept?.includes("text/html") === true
  );
}

/**
 * Serves GraphiQL from its package, without network access. The page requires no token; with `auth` it explains how to
 * enter the token that its requests require. It is rendered on the first request.
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

// The page contains its scripts and styles, and sends requests to this server only.
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
  // The package has nine megabytes, which are loaded only for this page.
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const options = {
    title: "Local catalog",
    endpoint: graphqlPath,
    defaultQuery: `${auth ? tokenHint : ""}${firstQuery}`,
    // Otherwise the package shows its own query instead of the default one.
    initialQuery: null,
    ...(auth ? { headers: '{ "Authorization": "Bearer TOKEN" }' } : {}),
    // A token is forgotten when its tab is closed.
    shouldPersistHeaders: false,
  };
  return renderGraphiQL(options);
}

const tokenHint = `# This catalog requires a token:
# replace TOKEN with it in "Headers" below.
# It is the value of DATAHUB_GMS_TOKEN if that
# was set, else the content of the file "token"
# in the data directory:
#   cat .datahub-gitops/catalog/token
# Then fetch the schema again: the two round
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
