import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Lie } from "./lie.ts";
import { withData } from "./mutations.ts";
import { aliasesOf, type Asked, graphqlIn } from "./request.ts";

const otherUrn = "urn:li:tag:somebody-elses";

/** The ways in which a field of the query type does not answer what is there. */
export function queryLies(field: string): readonly Lie[] {
  const operation = `query ${field}`;
  const lies = (what: string, told: (answered: Json | undefined) => Json): Lie => ({
    operation,
    what,
    deal: (asked) => {
      const graphql = graphqlIn(asked);
      const aliases = graphql ? aliasesOf(graphql, field) : [];
      if (aliases.length === 0) return undefined;
      return {
        forward: asked.body,
        answer: (answered) => {
          const data = isJsonObject(answered) && isJsonObject(answered["data"]) ? answered["data"] : {};
          const own = aliases.map((alias): [string, Json] => [alias, told(data[alias])]);
          return withData(answered, Object.fromEntries(own));
        },
      };
    },
  });
  return [
    lies("answers null", () => null),
    ...(changing.has(field) ? [old(operation, (asked) => asksFor(asked, field))] : []),
    ...(leavesOut[field] ?? []).map((list) =>
      lies("leaves one out", (answered) => withoutOne(answered ?? null, list)),
    ),
    ...(namesUrn.has(field)
      ? [lies("answers another URN", (answered) => withOtherUrn(answered ?? null))]
      : []),
  ];
}

/** The fields whose answers change with what is written. */
const changing: ReadonlySet<string> = new Set([
  "entities",
  "entityExists",
  "scrollAcrossEntities",
  "searchAcrossEntities",
  "corpGroup",
]);

function asksFor(asked: Asked, field: string): boolean {
  const graphql = graphqlIn(asked);
  return graphql !== undefined && aliasesOf(graphql, field).length > 0;
}

/** Of which fields one element can be missing: of their own list, or of one in them. */
const leavesOut: Readonly<Record<string, readonly string[]>> = {
  entities: [""],
  scrollAcrossEntities: ["searchResults"],
  searchAcrossEntities: ["searchResults"],
  corpGroup: ["relationships"],
};

const namesUrn: ReadonlySet<string> = new Set([
  "entities",
  "scrollAcrossEntities",
  "searchAcrossEntities",
  "corpGroup",
  "me",
]);

function withoutOne(answered: Json, list: string): Json {
  if (Array.isArray(answered)) return answered.slice(0, -1);
  if (!isJsonObject(answered)) return answered;
  const entries = Object.entries(answered).map(([key, value]): [string, Json] => {
    if (key !== list && list !== "") return [key, value ?? null];
    return [key, withoutOne(value ?? null, list)];
  });
  return Object.fromEntries(entries);
}

/** The same with another URN at the first place that has one. */
function withOtherUrn(answered: Json): Json {
  let isDone = false;
  const text = JSON.stringify(answered, (key, value: Json) => {
    if (isDone || key !== "urn") return value;
    isDone = true;
    return otherUrn;
  });
  return JSON.parse(text) as Json;
}

/** Answers as it first answered the same request. */
function old(operation: string, isOwn: (asked: Asked) => boolean): Lie {
  const answers = new Map<string, Json | undefined>();
  return {
    operation,
    what: "answers an old state",
    deal: (asked) => {
      if (!isOwn(asked)) return undefined;
      const key = `${asked.url} ${JSON.stringify(asked.body)}`;
      return {
        forward: asked.body,
        answer: (answered) => {
          if (!answers.has(key)) answers.set(key, answered);
          return answers.get(key);
        },
      };
    },
  };
}

/** The same of requests that are no GraphQL, by the beginning of what stands in their path. */
export function restLies(operation: string, path: string): readonly Lie[] {
  const isOwn = ({ url }: Asked): boolean => url.includes(path);
  const lies = (what: string, told: (answered: Json | undefined) => Json): Lie => ({
    operation,
    what,
    deal: (asked) =>
      isOwn(asked) ? { forward: asked.body, answer: (answered) => told(answered) } : undefined,
  });
  return [
    lies("answers null", () => null),
    lies("answers another URN", (answered) => withOtherUrn(answered ?? null)),
    lies("leaves the aspects out", (answered) => withoutAspects(answered ?? null)),
    old(operation, isOwn),
  ];
}

function withoutAspects(answered: Json): Json {
  if (Array.isArray(answered)) return answered.map((each: Json) => withoutAspects(each));
  const { urn = null, entityName = null }: JsonObject = isJsonObject(answered) ? answered : {};
  return { urn, entityName, aspects: {} };
}
