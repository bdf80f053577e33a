import { isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import type { Lie } from "./lie.ts";
import type { Asked } from "./request.ts";

const otherUrn = "urn:li:corpuser:somebody-else";

/** Aspects of which the last value is taken away: there is no other to store. */
const onlyEmptied: ReadonlySet<string> = new Set(["groupMembership"]);

/** The ways in which a proposal of an aspect is not what it is told to be. */
export function proposalLies(aspect: string): readonly Lie[] {
  const operation = `ingestProposal ${aspect}`;
  const lies = (what: string, deal: (own: Own) => ReturnType<Lie["deal"]>): Lie => ({
    operation,
    what,
    deal: (asked) => {
      const own = ownIn(asked, aspect);
      return own ? deal(own) : undefined;
    },
  });
  return [
    lies("answers success and does nothing", ({ left }) => ({
      forward: left,
      answer: () => ({ value: "success" }),
    })),
    lies("answers another URN", ({ body }) => ({ forward: body, answer: () => ({ value: otherUrn }) })),
    lies("answers null", ({ body }) => ({ forward: body, answer: () => ({ value: null }) })),
    ...(onlyEmptied.has(aspect)
      ? []
      : [
          lies("stores another value", ({ changed }) => ({
            forward: changed,
            answer: (answered) => answered,
          })),
        ]),
  ];
}

/** A request with proposals of an aspect: as it is, without them, and with other values. */
interface Own {
  readonly body: JsonObject;
  readonly left: Json | undefined;
  readonly changed: Json;
}

function ownIn({ url, body }: Asked, aspect: string): Own | undefined {
  if (!/action=ingestProposal/.test(url) || !isJsonObject(body)) return undefined;
  // The acceptance itself writes without a condition, and is not lied to.
  const isOwn = (proposal: Json): proposal is JsonObject =>
    isJsonObject(proposal) && proposal["aspectName"] === aspect && isConditional(proposal);
  const { proposal, proposals } = body;
  if (Array.isArray(proposals)) {
    const others = proposals.filter((each: Json) => !isOwn(each));
    if (others.length === proposals.length) return undefined;
    const changed = proposals.map((each: Json) => (isOwn(each) ? withOtherValue(each) : each));
    const left = others.length === 0 ? undefined : { ...body, proposals: others };
    return { body, left, changed: { ...body, proposals: changed } };
  }
  if (proposal === undefined || !isOwn(proposal)) return undefined;
  return { body, left: undefined, changed: { ...body, proposal: withOtherValue(proposal) } };
}

function isConditional({ headers, changeType }: JsonObject): boolean {
  return headers !== undefined || changeType !== "UPSERT";
}

function withOtherValue(proposal: JsonObject): JsonObject {
  const { aspect } = proposal;
  if (!isJsonObject(aspect)) return proposal;
  const value = JSON.parse(textOf(aspect["value"])) as Json;
  return { ...proposal, aspect: { ...aspect, value: JSON.stringify(otherThan(value)) } };
}

/** A value that differs in its fields: a text by a letter, a list by its last element, a number by one. */
function otherThan(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, -1);
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (value === "NATIVE") return "EXTERNAL";
  if (typeof value === "string") return `${value}x`;
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, each = null]): [string, Json] => {
    return [key, isJsonObject(each) ? each : otherThan(each)];
  });
  return Object.fromEntries(fields);
}
