import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  execute,
  getOperationAST,
  validate,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from "graphql";
import type { Plugin } from "graphql-yoga";
import { aspectReader } from "../store/aspect-reader.ts";
import type { AspectStore } from "../store/aspect-store.ts";
import { catalogSchema } from "./catalog-schema.ts";
import { datahubErrors } from "./error-shape.ts";
import { excessOf, parseWithinLimits } from "./query-limits.ts";
import type { RequestContext } from "./request-context.ts";

/** Answers one request to the GraphQL endpoint; done when the answer is sent. */
export type GraphqlEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The path that `graphqlEndpoint` answers under. */
export const graphqlPath = "/api/graphql";

// It knows no store, so all the catalogs of a process share it.
let sharedSchema: GraphQLSchema | undefined;

/** DataHub's GraphQL endpoint over a store. graphql-yoga is loaded here and not before: it takes a quarter of a second. */
export async function graphqlEndpoint(store: AspectStore, now: () => number): Promise<GraphqlEndpoint> {
  const { createYoga } = await import("graphql-yoga");
  const yoga = createYoga({
    schema: (sharedSchema ??= catalogSchema()),
    context: (): RequestContext => ({ store, reader: aspectReader(store), now, newId: randomUUID }),
    graphqlEndpoint: graphqlPath,
    plugins: [datahubManners()],
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    maskedErrors: false,
    logging: false,
  });
  return async (request, response) => {
    // DataHub reads every body as JSON and answers JSON with status 200, whatever the client says of itself.
    request.headers["content-type"] = "application/json";
    request.headers.accept = "application/json";
    request.url = graphqlPath;
    await yoga(request, response);
  };
}

// graphql-yoga is left to do HTTP. It brings graphql-js by a path of its own, which may be another copy than
// this one, so documents are parsed, validated and executed here.
function datahubManners(): Plugin {
  const withDocument = new WeakSet<Request>();
  return {
    onParams({ request, params }) {
      if (typeof params.query === "string") withDocument.add(request);
    },
    onParse({ setParseFn }) {
      setParseFn(parseWithinLimits);
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema: GraphQLSchema, document: DocumentNode) => validate(schema, document));
    },
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const excess = excessOfExecution(args);
      if (excess) setResultAndStopExecution({ data: null, errors: [excess] });
      setExecuteFn(execute);
    },
    onResultProcess(process) {
      // DataHub answers 200 to all that is about the document, and 400 to a request that holds none.
      const status = withDocument.has(process.request) ? 200 : 400;
      process.setResultProcessor((result, fetchApi) => {
        const { data, errors } = result as ExecutionResult;
        const body = JSON.stringify({ data, errors: errors && datahubErrors(errors) });
        return new fetchApi.Response(body, { status, headers: { "Content-Type": "application/json" } });
      }, "application/json");
    },
  };
}

function excessOfExecution(args: ExecutionArgs): GraphQLError | undefined {
  const operation = getOperationAST(args.document, args.operationName);
  return operation ? excessOf(operation, args.document, args.variableValues ?? {}) : undefined;
}
