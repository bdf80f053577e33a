import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type MadeAspect, metadataFile, openTestCatalog } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { testRepository } from "../support/git-repository.ts";
import { appliedRef } from "../support/site.ts";
import { type Edit, world } from "./draws.ts";
import { type Content, type Document, kindOf, type Live, partsOf, readLive, type Settings } from "./model.ts";

/** A repository and a catalog, for one history. */
export interface Site {
  readonly root: string;
  readonly git: (...args: readonly string[]) => string;
  /** Commits these files and no others; answers with the commit. */
  readonly commit: (files: Files) => string;
  readonly run: (...argv: readonly string[]) => Promise<Ran>;
  readonly live: () => Live;
  /** Does what somebody does in the UI, or ingestion does. Answers with what it was, where it was possible. */
  readonly edit: (edit: Edit) => Promise<string | undefined>;
  readonly applied: () => string | undefined;
}

/** Files by their names below the repository. */
export type Files = ReadonlyMap<string, string>;

/** Lets a function use a new site, whose catalog holds what histories take for granted and `existing`. */
export async function withSite(
  existing: readonly string[],
  use: (site: Site) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "datahub-gitops-history-"));
  const root = join(dir, "repository");
  mkdirSync(root);
  const { catalog, close } = await openTestCatalog();
  try {
    const repository = testRepository(root);
    repository.git("init", "--quiet", "--initial-branch", "main");
    const live = (): Live => readLive(catalog.aspects());
    const load = async (...aspects: readonly MadeAspect[]): Promise<void> => {
      await catalog.load(metadataFile(dir, aspects));
    };
    const theirs = [...existing, ...Object.values(world.theirs)];
    await load(...world.datasets.flatMap(assetOf), ...theirs.flatMap(definitionOf));
    await use({
      root,
      git: repository.git,
      commit: (files) => {
        rmSync(join(root, "catalog"), { recursive: true, force: true });
        return repository.commit(Object.fromEntries(files));
      },
      run: async (...argv) =>
        await runCli([...argv, ...(argv[0] === "show" ? [] : ["--server", catalog.url])], { cwd: root }),
      live,
      edit: async (edit) => {
        const before = live();
        const done = doing(edit, before);
        if (!done) return undefined;
        if ("aspects" in done) await load(...done.aspects);
        else await mutate(catalog.url, done.mutation);
        if (edit.type === "columns") return "columns changed";
        if (edit.type !== "status") return "edited in the UI";
        return before.entities.get(edit.urn)?.isRemoved ? "came back" : "removed softly";
      },
      applied: () => repository.git("for-each-ref", "--format=%(objectname)", appliedRef) || undefined,
    });
  } finally {
    await close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function mutate(url: string, mutation: string): Promise<void> {
  const body = JSON.stringify({ query: `mutation { ${mutation} }` });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/graphql`, { method: "POST", headers, body });
  expect(await response.json(), mutation).not.toHaveProperty("errors");
}

function assetOf(urn: string): readonly MadeAspect[] {
  return [
    [urn, "status", { removed: false }],
    [urn, "schemaMetadata", schemaWith(...world.columns)],
  ];
}

function definitionOf(urn: string): readonly MadeAspect[] {
  const name = urn.split(":")[3] ?? "";
  const kind = kindOf(urn);
  if (kind === "Domain") return [[urn, "domainProperties", { name }]];
  if (kind === "Tag") return [[urn, "tagProperties", { name }]];
  if (kind === "User") return [[urn, "corpUserInfo", { active: true }]];
  return [
    [urn, "corpGroupInfo", { admins: [], members: [], groups: [] }],
    [urn, "origin", { type: "NATIVE" }],
  ];
}

type Doing = { readonly mutation: string } | { readonly aspects: readonly MadeAspect[] };

/** How an edit is done, unless it cannot be, or changes nothing. */
function doing(edit: Edit, live: Live): Doing | undefined {
  if (edit.type === "status") {
    const there = live.entities.get(edit.urn);
    return there && { aspects: [[edit.urn, "status", { removed: !there.isRemoved }]] };
  }
  if (edit.type === "columns")
    return { aspects: [[edit.urn, "schemaMetadata", schemaWith(...edit.columns)]] };
  if (edit.type === "put") return putting(edit.place, edit.value, live);
  if (edit.type === "takeAt")
    return isTakeable(edit.place, live) && live.values.get(edit.place)?.has(edit.value)
      ? { mutation: taking(edit.place, edit.value) }
      : undefined;
  if (edit.type === "against") return undefined;
  const values = [...live.values].flatMap(([place, found]) =>
    isTakeable(place, live) ? [...found].map((value) => [place, value] as const) : [],
  );
  const taken = values[edit.nth % Math.max(values.length, 1)];
  return taken && { mutation: taking(...taken) };
}

function isThere(live: Live, urn: string): boolean {
  return live.entities.get(urn)?.isRemoved === false;
}

function isTakeable(place: string, live: Live): boolean {
  const [urn, facet, column] = partsOf(place);
  const columns = live.entities.get(urn)?.columns ?? [];
  return (
    ["tags", "domain", "owners", "members", "columns.tags"].includes(facet) &&
    isThere(live, urn) &&
    (column === undefined || columns.includes(column))
  );
}

function putting(place: string, value: string, live: Live): Doing | undefined {
  const [urn, facet, column] = partsOf(place);
  const columns = live.entities.get(urn)?.columns ?? [];
  const [named = ""] = value.split(" ");
  const isNamedThere = kindOf(named) === undefined || isThere(live, named);
  if (!isThere(live, urn) || !isNamedThere || live.values.get(place)?.has(value)) return undefined;
  if (column !== undefined && !columns.includes(column)) return undefined;
  if (facet === "title") return { aspects: [[urn, "corpUserInfo", { active: true, title: value }]] };
  // The mutation writes the other description of a group, which nothing here declares.
  if (facet === "description" && kindOf(urn) === "Group")
    return { aspects: [[urn, "corpGroupInfo", { admins: [], members: [], groups: [], description: value }]] };
  if (facet === "description")
    return { mutation: `updateDescription(input: { description: "${value}", resourceUrn: "${urn}" })` };
  if (facet === "domain") return { mutation: `setDomain(entityUrn: "${urn}", domainUrn: "${value}")` };
  if (facet === "members")
    return { mutation: `addGroupMembers(input: { groupUrn: "${urn}", userUrns: ["${value}"] })` };
  if (facet === "owners") {
    const [owner = "", type = ""] = value.split(" ");
    const kind = kindOf(owner) === "Group" ? "CORP_GROUP" : "CORP_USER";
    return {
      mutation: `addOwner(input: { ownerUrn: "${owner}", resourceUrn: "${urn}", ownerEntityType: ${kind}, ownershipTypeUrn: "${type}" })`,
    };
  }
  return { mutation: `addTag(input: { tagUrn: "${value}", resourceUrn: "${urn}"${ofColumn(column)} })` };
}

function taking(place: string, value: string): string {
  const [urn, facet, column] = partsOf(place);
  if (facet === "domain") return `unsetDomain(entityUrn: "${urn}")`;
  if (facet === "members") return `removeGroupMembers(input: { groupUrn: "${urn}", userUrns: ["${value}"] })`;
  if (facet === "owners") {
    const [owner = "", type = ""] = value.split(" ");
    return `removeOwner(input: { ownerUrn: "${owner}", resourceUrn: "${urn}", ownershipTypeUrn: "${type}" })`;
  }
  return `removeTag(input: { tagUrn: "${value}", resourceUrn: "${urn}"${ofColumn(column)} })`;
}

function ofColumn(column: string | undefined): string {
  return column === undefined ? "" : `, subResource: "${column}", subResourceType: DATASET_FIELD`;
}

/** The files of a repository that declares this under these settings. */
export function filesOf(content: Content, settings: Settings, moved: ReadonlySet<string>): Files {
  const { modes, missing, prune } = settings;
  const wide = {
    removals: { max_percent: 100, max_count: 999 },
    deletes: { max_count: 99 },
    vanished: { max_percent: 100 },
  };
  const written = { version: 1, base: appliedRef, manage: modes, missing, prune, guards: wide };
  const files = new Map([["catalog/datahub-gitops.yaml", yamlOf(written)]]);
  for (const [name, document] of Object.entries(content.documents))
    files.set(`catalog/${moved.has(name) ? "moved/" : ""}${name}.yaml`, yamlOf(manifestOf(document)));
  for (const { id, matches, values } of content.rules) {
    const match = { kind: "Dataset", urn: matches };
    const rule = { kind: "Rule", id, match, priority: Number(id.slice(1)), declare: facetsOf(values) };
    files.set(`catalog/${id}.yaml`, yamlOf(rule));
  }
  return files;
}

function manifestOf({ kind, urn, values, inline = {}, manage }: Document): object {
  const identity = kind === "Dataset" ? { kind, urn } : { kind, id: urn };
  const facets = facetsOf(values);
  const members = values["members"]?.map((user) =>
    inline[user] === undefined ? user : { id: user, title: inline[user] },
  );
  return { ...identity, ...facets, ...(members && { members }), ...(manage && { manage }) };
}

function facetsOf(values: Content["rules"][number]["values"]): object {
  const columns: Record<string, object> = {};
  const facets: Record<string, unknown> = {};
  for (const [facet, list] of Object.entries(values)) {
    const [name = "", column] = facet.split(" ");
    if (column !== undefined) columns[column] = { tags: list };
    else if (["domain", "parent_domain", "description", "title"].includes(name))
      facets[name] = list[0] ?? "none";
    else if (name === "owners") facets[name] = list.map(ownerOf);
    else facets[name] = list;
  }
  return { ...facets, ...(Object.keys(columns).length > 0 && { columns }) };
}

// JSON is YAML, but in quotes `none` would be a text.
function yamlOf(value: object): string {
  return JSON.stringify(value, undefined, 1).replaceAll(': "none"', ": none");
}

function ownerOf(value: string): object {
  const [owner = "", type = ""] = value.split(" ");
  return { [kindOf(owner) === "Group" ? "group" : "user"]: owner, type };
}
