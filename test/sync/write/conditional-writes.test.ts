import { expect, test } from "vitest";
import type { RequestedAspects } from "../../../src/datahub/aspect-batches.ts";
import type { Writer } from "../../../src/datahub/client.ts";
import type { Change, FacetChange } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Operation, Proposal } from "../../../src/model/operation.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { writesFor } from "../../../src/facets/writes.ts";
import { checkConditionalWrites, systemUser } from "../../../src/sync/write/conditional-writes.ts";
import { datasetNamed, urn } from "../../support/states.ts";

const actor = urn("urn:li:corpuser:ci");
const [pii, finance] = [urn("urn:li:tag:pii"), urn("urn:li:domain:finance")];
const names = ["a", "b", "c", "d", "e"].map(datasetNamed) as [Urn, Urn, Urn, Urn, Urn];
const [a, b] = names;

const base = { action: "update", kind: "Dataset", fingerprint: "" } as const;
const tagging = (of: Urn): FacetChange => ({
  ...base,
  urn: of,
  shape: "set",
  facet: "tags",
  add: [pii],
  remove: [],
});
const inDomain = (of: Urn): FacetChange => ({
  ...base,
  urn: of,
  shape: "scalar",
  facet: "domain",
  before: null,
  after: finance,
});

const team = urn("urn:li:corpGroup:team");
const owner = { owner: actor, type: "urn:li:ownershipType:__system__none" };
const ofTeam = { ...base, urn: team, kind: "Group" } as const;
const owning: FacetChange = { ...ofTeam, shape: "set", facet: "owners", add: [owner], remove: [] };

/** The operation of a conditional write; with `create` its entity comes about by the same plan. */
function edit(change: FacetChange, action: "update" | "create" = "update"): Operation {
  const [write] = writesFor(change, "conditional");
  if (!write) throw new Error("no write");
  const changes = [{ ...change, action } as FacetChange];
  return { id: change.urn, request: write.request, locks: [], after: [], changes };
}

interface Server {
  readonly user?: Urn | null;
  readonly conditionalWrites?: boolean;
  /** On the platform, and on each entity. */
  readonly platform?: readonly string[];
  readonly own?: readonly string[] | null;
  /** What it answers where it does not say the privileges. */
  readonly error?: string | null;
}

interface Checked {
  readonly provenance: Awaited<ReturnType<typeof checkConditionalWrites>>;
  /** What the server was asked, by the names of queries. */
  readonly asked: readonly string[];
}

async function checked(
  operations: readonly Operation[],
  server: Server = {},
  more: { readonly commit?: string; readonly isByMutations?: true; readonly signal?: AbortSignal } = {},
): Promise<Checked> {
  const { conditionalWrites = true, user = actor, platform = [], own = [] } = server;
  const { error = "no" } = server;
  const asked: string[] = [];
  const query = async (document: string, variables: JsonObject): Promise<object> => {
    more.signal?.throwIfAborted();
    asked.push(/^query (\w+)/.exec(document)?.[1] ?? "");
    if (document.includes("ReadActor")) return { data: { me: { corpUser: { urn: user } } }, errors: [] };
    if (document.includes("__type"))
      return { data: { __type: { fields: [{ name: "attribution" }] } }, errors: [] };
    const entities = Object.keys(variables).filter((name) => name.startsWith("r"));
    const granted = entities.map((_, index) => [`p${index}`, own && { privileges: own }]);
    const data = { platform: { privileges: platform }, ...Object.fromEntries(granted) };
    return { data, errors: own || error === null ? [] : [{ message: error }] };
  };
  const read = async (_: string, wanted: readonly RequestedAspects[]): Promise<unknown> => {
    if (conditionalWrites) return new Map();
    return wanted.length === 0 ? "unknown" : new Map(wanted.map((each) => [each.urn, {}]));
  };
  const stored = { read };
  const writer = { query, stored };
  const plan = {
    tool: "datahub-gitops/1",
    git: { commit: more.commit ?? null, dirty: false, base: null },
    ...(more.isByMutations !== true && { writes: "conditional" as const }),
  };
  const provenance = await checkConditionalWrites(writer as unknown as Writer, operations, plan, more.signal);
  return { provenance, asked };
}

const editing = { platform: ["EDIT_ENTITY"] };

test("values are attributed to the user of the token, the tool and the commit, where the server keeps that", async () => {
  const { provenance, asked } = await checked([edit(tagging(a)), edit(tagging(b))], editing, {
    commit: "c0ffee",
  });
  expect(provenance).toEqual({
    actor,
    source: "urn:li:dataHubAction:datahub-gitops",
    detail: { tool: "datahub-gitops/1", commit: "c0ffee" },
    keeps: new Set(["TagAssociation.attribution"]),
  });
  expect(asked).toEqual(["ReadActor", "ReadPrivileges", "ProbeType"]);
  expect((await checked([edit(tagging(a))], editing)).provenance?.detail).toEqual({
    tool: "datahub-gitops/1",
  });
});

const entire: Proposal = { type: "proposal", urn: a, aspect: "globalTags", initial: {}, set: {} };
const ofMembers: FacetChange = { ...tagging(a), kind: "Group", facet: "members" };
const mutation: Operation = { ...edit(tagging(a)), request: { type: "mutation", field: "x", args: [] } };

test.each<readonly [string, readonly Operation[], { readonly isByMutations?: true }]>([
  ["nothing is written", [], {}],
  ["nothing is written conditionally", [edit(tagging(a))], { isByMutations: true }],
  ["there are only mutations", [mutation], {}],
  ["there are only entire aspects", [{ ...edit(tagging(a)), request: entire }], {}],
  ["edits are of what is in no aspect of the entity", [{ ...edit(tagging(a)), changes: [ofMembers] }], {}],
])("nothing is asked where %s", async (_, operations, more) => {
  expect(await checked(operations, {}, more)).toEqual({
    provenance: undefined,
    asked: [],
  });
});

test("an operation that edits a value and does more is asked about", async () => {
  const deletion: Change = { ...base, action: "delete", shape: "entity", kind: "Tag", urn: pii };
  const operation = { ...edit(tagging(a)), changes: [deletion, tagging(a)] };
  expect((await checked([operation], editing)).asked).toContain("ReadActor");
});

test("where the user is not named, or something fails during an interruption, it is a failure", async () => {
  await expect(checked([edit(tagging(a))], { user: null })).rejects.toThrow(
    "could not determine which user the token belongs to, so nothing was written: the response contains no user",
  );
  const interruption = new AbortController();
  interruption.abort();
  const signal = { aborted: true, reason: interruption.signal.reason, throwIfAborted: () => {} };
  await expect(
    checked([edit(tagging(a))], { user: null }, { signal: signal as unknown as AbortSignal }),
  ).rejects.toThrow("the response contains no user");
});

test("an interruption is no failure", async () => {
  const { provenance } = await checked([edit(tagging(a))], editing, { signal: AbortSignal.abort() });
  expect(provenance).toBeUndefined();
});

test.each<readonly [string, Server, readonly FacetChange[]]>([
  ["may edit entities everywhere", editing, [tagging(a), inDomain(a)]],
  ["may edit the entities", { own: ["EDIT_ENTITY"] }, [tagging(a), inDomain(b)]],
  ["may edit tags", { own: ["EDIT_ENTITY_TAGS"] }, [tagging(a), tagging(b)]],
  ["is not asked for", { user: urn(systemUser), own: null }, [tagging(a)]],
])("a token that %s may write", async (_, server, changes) => {
  expect(
    (
      await checked(
        changes.map((each) => edit(each)),
        server,
      )
    ).provenance,
  ).toBeDefined();
});

const needed =
  'without the privilege EDIT_ENTITY ("Edit Entity"), so nothing was written. Grant the privilege, or set `writes: graphql`';

test.each<readonly [string, Server, readonly Operation[], string]>([
  ["may edit nothing", {}, [edit(tagging(a))], `${a} ${needed}`],
  [
    "may edit tags alone",
    { own: ["EDIT_ENTITY_TAGS"] },
    [edit(tagging(a)), edit(inDomain(a)), edit(tagging(b))],
    `${a} ${needed}`,
  ],
  [
    "may edit only one of two things that an operation changes",
    { own: ["EDIT_ENTITY_TAGS"] },
    [{ ...edit(tagging(a)), changes: [tagging(a), inDomain(a)] }],
    `${a} ${needed}`,
  ],
  [
    "may edit domains, which say nothing of aspects,",
    { own: ["EDIT_DOMAINS_PRIVILEGE"] },
    [edit(inDomain(a))],
    `${a} ${needed}`,
  ],
  [
    "may edit none of entities that need different privileges",
    {},
    [edit(tagging(a)), edit(owning)],
    `${a}, ${team} ${needed.replace(", so", ' or MANAGE_USERS_AND_GROUPS ("Manage Users & Groups"), so')}`,
  ],
  [
    "may edit none of many",
    {},
    names.map((of) => edit(tagging(of))),
    `${names.slice(0, 3).join(", ")} and 2 more ${needed}`,
  ],
  [
    "may edit none of three",
    {},
    names.slice(0, 3).map((of) => edit(tagging(of))),
    `${names.slice(0, 3).join(", ")} ${needed}`,
  ],
])("a token that %s is refused before anything is written", async (_, server, operations, expected) => {
  await expect(checked(operations, server)).rejects.toMatchObject({
    failure: "unauthorized",
    message: `this token cannot write conditionally to ${expected}`,
  });
});

test("what the plan itself creates needs no privilege yet, whatever else is changed with it", async () => {
  const creating = { ...tagging(a), action: "create" } as const;
  const both = { ...edit(tagging(a)), changes: [creating, tagging(a)] };
  expect((await checked([both])).provenance?.actor).toBe(actor);
  const { provenance } = await checked([edit(tagging(a), "create")]);
  expect(provenance?.actor).toBe(actor);
});

test("where privileges cannot be read nothing is written", async () => {
  const unread = `could not read the token's privileges on ${a}, so nothing was written`;
  await expect(checked([edit(tagging(a))], { own: null })).rejects.toThrow(`${unread}: no`);
  await expect(checked([edit(tagging(a))], { own: null, error: null })).rejects.toThrow(
    `${unread}: the response contains no privileges`,
  );
});

test("a server without conditional writes is refused", async () => {
  await expect(checked([edit(tagging(a))], { conditionalWrites: false })).rejects.toMatchObject({
    failure: "unsupported",
    message:
      "the server does not support conditional writes: `writes: conditional` needs DataHub 0.14 or later; nothing was written. Upgrade the server, or set `writes: graphql`",
  });
});
