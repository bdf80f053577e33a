import type { IncomingMessage, ServerResponse } from "node:http";
import { graphqlPath } from "./endpoint.ts";

/** Answers a browser with a page to send GraphQL from. */
export type GraphiqlPage = (response: ServerResponse) => Promise<void>;

/** Whether a request to this path asks for the page: a browser's, by GET, at the root or at the GraphQL endpoint. */
export function asksForPage({ method, headers }: IncomingMessage, path: string): boolean {
  return (
    method === "GET" &&
    (path === "/" || path === graphqlPath) &&
    headers.accept?.includes("text/html") === true
  );
}

/**
 * GraphiQL as its package has it, without anything from the network. The page itself is no secret and needs no
 * token; with `auth` it says how to give the one that its requests need. It is made when it is first asked for.
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

// What the page brings along stands in it; requests go to this server and to no other.
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
  // Nine megabytes, which nobody who sends proposals has to load.
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const options = {
    title: "Local catalog",
    endpoint: graphqlPath,
    defaultQuery: `${auth ? tokenHint : ""}${firstQuery}`,
    // Without it the package greets with a query of its own, and the default is never seen.
    initialQuery: null,
    ...(auth ? { headers: '{ "Authorization": "Bearer TOKEN" }' } : {}),
    // A token that is typed in is gone with the tab.
    shouldPersistHeaders: false,
  };
  return renderGraphiQL(options);
}

const tokenHint = `# This catalog asks for a token:
# put it in place of TOKEN in "Headers" below.
# Where none was given as DATAHUB_GMS_TOKEN,
# it stands in the data directory, in "token":
#   cat .datahub-gitops/catalog/token
# Then fetch the schema: the two round arrows
# at the lower left.

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
