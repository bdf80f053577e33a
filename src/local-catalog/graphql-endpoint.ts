import type { IncomingMessage, ServerResponse } from "node:http";
import { execute, getOperationAST, GraphQLError, type ExecutionArgs } from "graphql";
import type { Plugin } from "graphql-yoga";
import { aspectReader } from "./aspect-reader.ts";
import type { AspectStore } from "./aspect-store.ts";
import { catalogSchema } from "./catalog-schema.ts";
import { datahubErrors } from "./error-shape.ts";
import { excessOf, parseWithinLimits } from "./query-limits.ts";
import type { RequestContext } from "./request-context.ts";

/** Answers one request to the GraphQL endpoint; done when the answer is sent. */
export type GraphqlEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The path that `graphqlEndpoint` answers under. */
export const graphqlPath = "/api/graphql";

/** DataHub's GraphQL endpoint over a store. graphql-yoga is loaded here and not before: it takes a quarter of a second. */
export async function graphqlEndpoint(store: AspectStore, now: () => number): Promise<GraphqlEndpoint> {
  const { createYoga } = await import("graphql-yoga");
  const yoga = createYoga({
    schema: catalogSchema(),
    context: (): RequestContext => ({ store, reader: aspectReader(store), now }),
    graphqlEndpoint: graphqlPath,
    plugins: [datahubManners],
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

const datahubManners: Plugin = {
  onParse({ setParseFn }) {
    setParseFn(parseWithinLimits);
  },
  onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
    const excess = excessOfExecution(args);
    if (excess) setResultAndStopExecution({ data: null, errors: [excess] });
    // graphql-js itself is faster here than yoga's default: nothing is ever deferred, and all resolvers are synchronous.
    setExecuteFn(execute);
  },
  onResultProcess(process) {
    const { result } = process;
    if (!("errors" in result) || !result.errors) return;
    process.setResult({
      ...result,
      errors: datahubErrors(result.errors.filter((error) => error instanceof GraphQLError)),
    });
  },
};

function excessOfExecution(args: ExecutionArgs): GraphQLError | undefined {
  const operation = getOperationAST(args.document, args.operationName);
  return operation ? excessOf(operation, args.document, args.variableValues ?? {}) : undefined;
}
