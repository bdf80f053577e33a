/** Serves a catalog over GraphQL, using DataHub's limits, errors and HTTP statuses. */

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  execute,
  getOperationAST,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from "graphql";
import type { Plugin, YogaServerInstance } from "graphql-yoga";
import { aspectReader } from "../store/aspect-reader.ts";
import type { CatalogState } from "../store/catalog-state.ts";
import { checkJsonLimits } from "../json.ts";
import { catalogSchema } from "./schema.ts";
import { datahubErrors } from "./errors.ts";
import { limitError, parseWithinLimits } from "./query-limits.ts";
import type { RequestContext } from "./request-context.ts";
import { validationErrors } from "./validation.ts";

/** Answers a GraphQL request. Resolves after the response has been sent. */
export type GraphqlEndpoint = (
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
) => Promise<void>;

/** The path that serves GraphQL. */
export const graphqlPath = "/api/graphql";

// The schema does not depend on the store, so all catalogs in a process share one server and its cache of parsed and validated
// documents.
let shared: Promise<Yoga> | undefined;

/**
 * Creates a catalog's GraphQL endpoint. If `changed` is given, the catalog gets its own schema, whose resolvers `changed` can
 * replace. Loads graphql-yoga on the first call, because loading takes a quarter of a second.
 */
export async function graphqlEndpoint(
  state: CatalogState,
  changed?: (schema: GraphQLSchema) => GraphQLSchema,
): Promise<GraphqlEndpoint> {
  const { fetch, fetchAPI } = await (changed
    ? yogaFor(changed(catalogSchema()))
    : (shared ??= yogaFor(catalogSchema())));
  // DataHub reads every body as JSON and responds with JSON, regardless of the request headers.
  const headers = { "content-type": "application/json", accept: "application/json" };
  return async (request, body, response) => {
    const text = body.toString("utf8");
    if (isExcessive(text)) {
      response.writeHead(400).end();
      return;
    }
    const yogaRequest = new fetchAPI.Request(`http://localhost${graphqlPath}`, {
      method: "POST",
      headers,
      body: text,
    });
    const yogaResponse = await fetch(yogaRequest, { state, actor: state.actorOf(request) });
    response.writeHead(yogaResponse.status, Object.fromEntries(yogaResponse.headers));
    response.end(await yogaResponse.text());
  };
}

// Whether a request body exceeds the JSON limits. DataHub responds with 400 and no body if its parser rejects the request body.
function isExcessive(text: string): boolean {
  try {
    checkJsonLimits(text, "The body");
    return false;
  } catch {
    return true;
  }
}

interface YogaContext {
  readonly state: CatalogState;
  readonly actor: string;
}

type Yoga = Pick<YogaServerInstance<YogaContext, object>, "fetch" | "fetchAPI">;

async function yogaFor(schema: GraphQLSchema): Promise<Yoga> {
  const { createYoga } = await import("graphql-yoga");
  return createYoga<YogaContext>({
    schema,
    context: contextOf,
    graphqlEndpoint: graphqlPath,
    plugins: [datahubConventions()],
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    maskedErrors: false,
    logging: false,
  });
}

function contextOf({ state, actor }: YogaContext): RequestContext {
  const reader = aspectReader(state.store);
  const index = state.index === state.store ? reader : aspectReader(state.index);
  return { ...state, actor, reader, index, newId: randomUUID };
}

// This plugin parses, validates and executes documents, because graphql-yoga may load a different copy of graphql-js than this
// file does. graphql-yoga itself only handles HTTP.
function datahubConventions(): Plugin {
  const withDocument = new WeakSet<Request>();
  return {
    onParams({ request, params }) {
      if (typeof params.query === "string") withDocument.add(request);
    },
    onParse({ setParseFn }) {
      setParseFn(parseWithinLimits);
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema: GraphQLSchema, document: DocumentNode) => validationErrors(schema, document));
    },
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const { document, operationName, variableValues }: ExecutionArgs = args;
      const operation = getOperationAST(document, operationName);
      const excess = operation && limitError(operation, document, variableValues ?? {});
      if (excess) setResultAndStopExecution({ data: null, errors: [excess] });
      setExecuteFn(execute);
    },
    onResultProcess(process) {
      // DataHub responds to any document with 200, even if the document is invalid. It responds to a request without a document
      // with 400 and no body.
      const status = withDocument.has(process.request) ? 200 : 400;
      process.setResultProcessor((result, fetchApi) => {
        if (status === 400) return new fetchApi.Response(null, { status });
        // The endpoint supports neither batches nor streams, so there is exactly one result.
        const { data = null, errors } = result as ExecutionResult;
        // DataHub adds empty extensions if there are no errors.
        const rest = errors ? { errors: datahubErrors(errors) } : { extensions: {} };
        const body = JSON.stringify({ data, ...rest });
        return new fetchApi.Response(body, { status, headers: { "Content-Type": "application/json" } });
      }, "application/json");
    },
  };
}
