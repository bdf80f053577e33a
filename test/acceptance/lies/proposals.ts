import { isJsonObject, type Json, type JsonObject, textOf } from "../../../src/model/json.ts";
import { anyVersionRow, patchRows } from "../required.ts";
import type { Lie } from "./lie.ts";
import type { Asked } from "./request.ts";
import { asciiJson } from "../../support/ascii-json.ts";

const otherUrn = "urn:li:corpuser:somebody-else";

/** Aspects of which the last value is taken away: there is no other to store. */
const onlyEmptied: ReadonlySet<string> = new Set(["groupMembership"]);

/** The ways in which a proposal of an aspect for one version is not what it is told to be. */
export function proposalLies(aspect: string): readonly Lie[] {
  return liesAbout(`ingestProposal ${aspect}`, isForVersion, aspect);
}

/** The same of a patch for any version. */
export function anyVersionLies(aspect: string): readonly Lie[] {
  return liesAbout(anyVersionRow(`ingestProposal ${aspect}`), isForAnyVersion, aspect);
}

function isForVersion({ headers }: JsonObject): boolean {
  return headers !== undefined;
}

// The acceptance itself writes whole aspects without a condition, and is not lied to.
function isForAnyVersion({ headers, changeType }: JsonObject): boolean {
  return headers === undefined && changeType === "PATCH";
}

function liesAbout(
  operation: string,
  isMeant: (proposal: JsonObject) => boolean,
  aspect: string,
): readonly Lie[] {
  const lies = (what: string, deal: (own: Own) => ReturnType<Lie["deal"]>): Lie => ({
    operation,
    what,
    deal: (asked) => {
      const own = ownIn(asked, (proposal) => proposal["aspectName"] === aspect && isMeant(proposal));
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

function ownIn({ url, body }: Asked, isMeant: (proposal: JsonObject) => boolean): Own | undefined {
  if (!/action=ingestProposal/.test(url) || !isJsonObject(body)) return undefined;
  const isOwn = (proposal: Json): proposal is JsonObject => isJsonObject(proposal) && isMeant(proposal);
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

function withOtherValue(proposal: JsonObject): JsonObject {
  const { aspect, changeType } = proposal;
  if (!isJsonObject(aspect)) return proposal;
  const value = JSON.parse(textOf(aspect["value"])) as Json;
  const other = changeType === "PATCH" ? otherPatch(value) : otherThan(value);
  return { ...proposal, aspect: { ...aspect, value: asciiJson(other) } };
}

/** A patch that leaves out the last value that it would add or take away. */
function otherPatch(value: Json): Json {
  if (isJsonObject(value)) return { ...value, patch: otherPatch(value["patch"] ?? null) };
  const operations = (Array.isArray(value) ? value : []).filter(isJsonObject);
  const isList = ({ value: list }: JsonObject): boolean => Array.isArray(list);
  if (operations.some(isList))
    return operations.map((each) => ({ ...each, value: otherThan(each["value"] ?? null) }));
  const last = operations.findLast(({ path }) => !/\/(?:lastModified|auditStamp)$/.test(textOf(path)));
  return operations.filter((each) => each !== last);
}

/** The ways in which a server is not what the writes of assignments rely on. */
export const patchLies: readonly Lie[] = [
  {
    operation: patchRows.version,
    what: "writes whatever the version is",
    deal: ({ url, body }) => {
      if (!url.includes("ingestProposalBatch") || !isJsonObject(body)) return undefined;
      const forward = { ...body, proposals: proposalsIn(body).map(({ headers: _, ...rest }) => rest) };
      return { forward, answer: (answered) => answered };
    },
  },
  {
    operation: patchRows.keys,
    what: "takes the entries of several sources for one",
    deal: ({ body }) => {
      const text = JSON.stringify(body ?? null);
      if (!text.includes("arrayPrimaryKeys")) return undefined;
      const forward = JSON.parse(
        text
          .replace(/\/tags\/urn:li:dataHubAction:[\w-]+\//, "/tags/")
          .replace('attribution\u241Fsource\\",\\"', ""),
      ) as Json;
      return { forward, answer: (answered) => answered };
    },
  },
  {
    operation: patchRows.batch,
    what: "drops one of several",
    deal: ({ url, body }) => {
      if (!url.includes("ingestProposalBatch") || !isJsonObject(body)) return undefined;
      const forward = { ...body, proposals: proposalsIn(body).slice(1) };
      return { forward, answer: (answered) => answered };
    },
  },
];

function proposalsIn({ proposals }: JsonObject): readonly JsonObject[] {
  return (Array.isArray(proposals) ? proposals : []).filter(isJsonObject);
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
