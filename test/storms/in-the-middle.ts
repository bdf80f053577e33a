import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draw } from "../../src/local-catalog/draw.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Urn } from "../../src/model/urn.ts";
import { type MadeAspect, metadataFile, startTestCatalog, temporaryDirectory } from "../support/catalog.ts";
import { type Ran, runCli } from "../support/command-line.ts";
import { inFrontOf } from "../support/in-front-of.ts";
import { sendText } from "../support/send-text.ts";
import { proposalsOf } from "../support/site.ts";
import type { StubRequest } from "../support/stub-server.ts";
import { lawSeed, runsOf } from "../support/runs.ts";
import { asciiJson } from "../support/ascii-json.ts";

/** How many entities others write in the middle of an apply. */
export const entities = Number(process.env["RACE_ENTITIES"] ?? 20);

/** Which seeds are tried. */
export const seeds: readonly number[] = Array.from(
  { length: runsOf(8) },
  (_, index) => (lawSeed ?? 1) + index,
);

/** When others write: before a request of ours arrives, while it is carried out, or before its answer is passed on. */
export type Moment = "before" | "meanwhile" | "after";

/** With what others write, by the seed. */
export const wayOf = (seed: number): "GraphQL" | "PATCH" => (seed % 2 === 0 ? "PATCH" : "GraphQL");

/** An edit of others. */
export interface Edit {
  readonly urn: Urn;
  readonly moment: Moment;
}

/** Draws whether and when others edit an entity that is written for the n-th time; nothing from the third time on. */
export function momentOf(seed: number, urn: Urn, time: number): Moment | undefined {
  if (time > 2 || draw(seed, urn, time, "whether") < 1 / 3) return undefined;
  const moments = ["before", "meanwhile", "after"] as const;
  return moments[Math.floor(draw(seed, urn, time, "moment") * moments.length)];
}

/** What an apply writes and others edit. */
export interface Contested<Each extends Edit> {
  readonly aspect: string;
  readonly world: readonly MadeAspect[];
  readonly manifests: string;
  /** What others do to an entity that is written for the n-th time. */
  readonly editOf: (seed: number, urn: Urn, time: number) => Each | undefined;
  /** Carries out edits of others, in an operation of this name where they are mutations. */
  readonly write: (post: Post, edits: readonly Each[], operation: string) => Promise<void>;
}

/** Sends a request to the catalog and answers with the body of its answer. */
export type Post = (path: string, body: unknown) => Promise<JsonObject>;

/** How an apply writes. */
export interface Applying {
  readonly seed: number;
  readonly writes: "graphql" | "conditional";
  readonly mode: "merge" | "authoritative";
}

/** An apply, what others wrote meanwhile, and the aspects that there are afterwards, by entity. */
export interface Raced<Each extends Edit> {
  readonly ran: Ran;
  readonly edits: readonly Each[];
  readonly found: ReadonlyMap<string, JsonObject>;
}

/** Applies while others write the same aspects in the middle of each request. A mutation of either takes 2 ms from its read to its write. */
export async function race<Each extends Edit>(
  { aspect: contested, world, manifests, editOf, write }: Contested<Each>,
  { seed, writes, mode }: Applying,
): Promise<Raced<Each>> {
  const only = ["Apply", "Meanwhile"];
  const faults = [{ fault: "lost_update", milliseconds: 2, rate: 1, only } as const];
  const catalog = await startTestCatalog({ faults: { seed, faults } });
  const cwd = temporaryDirectory();
  await catalog.load(metadataFile(cwd, world));
  mkdirSync(join(cwd, "catalog"));
  writeFileSync(join(cwd, "catalog/all.yaml"), manifests);
  const guards = "guards: { removals: { max_percent: 100, max_count: 100000 } }";
  const settings = ["version: 1", `writes: ${writes}`, `manage: ${mode}`, guards, ""];
  writeFileSync(join(cwd, "catalog/datahub-gitops.yaml"), settings.join("\n"));
  const times = new Map<Urn, number>();
  const edits: Each[] = [];
  const post: Post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const sent = await sendText(
      new URL(catalog.url + path),
      { method: "POST", headers },
      JSON.stringify(body),
    );
    return JSON.parse(sent.text) as JsonObject;
  };
  const url = await inFrontOf(catalog.url, async (request, response, incoming) => {
    const drawn = [...new Set(writtenBy(request, incoming.url))].flatMap((urn) => {
      const time = (times.get(urn) ?? 0) + 1;
      times.set(urn, time);
      return editOf(seed, urn, time) ?? [];
    });
    edits.push(...drawn);
    const at = async (moment: Moment, operation: string): Promise<void> => {
      const own = drawn.filter((edit) => edit.moment === moment);
      if (own.length > 0) await write(post, own, operation);
    };
    await at("before", "Before");
    const meanwhile = at("meanwhile", "Meanwhile");
    await incoming.passTo(catalog.url, response, async () => {
      await meanwhile;
      await at("after", "After");
    });
  });
  const ran = await runCli(["apply", "--auto-approve", "--format", "json", "--server", url], { cwd });
  const rows = catalog.aspects().filter(({ aspect, version }) => aspect === contested && version === 0);
  return { ran, edits, found: new Map(rows.map(({ urn, value }) => [urn, value])) };
}

/** The entities that a request writes. */
function writtenBy({ text, query, variables }: StubRequest, url: string): readonly Urn[] {
  if (query.startsWith("mutation"))
    return Object.values(variables).map((input) => {
      const { assetUrn, resourceUrn } = input as { readonly assetUrn?: Urn; readonly resourceUrn: Urn };
      return assetUrn ?? resourceUrn;
    });
  if (!url.startsWith("/aspects?action=ingestProposal")) return [];
  return proposalsOf(JSON.parse(text)).map(({ entityUrn }) => entityUrn as Urn);
}

/** An outcome of a report. */
export interface Outcome {
  readonly status: "applied" | "failed" | "skipped" | "stale";
  readonly urn: string;
  readonly column?: string;
  readonly paths?: readonly (readonly string[])[];
}

/** The outcomes of an apply that could plan. */
export function outcomesOf({ stdout }: Ran): readonly Outcome[] {
  return (JSON.parse(stdout) as { readonly outcomes: readonly Outcome[] }).outcomes;
}

/** Writes a patch of an aspect for each of some entities, in one request, as others do. */
export async function patchAll(
  post: Post,
  aspectName: string,
  patches: readonly { readonly urn: Urn; readonly patch: unknown }[],
): Promise<unknown> {
  const proposals = patches.map(({ urn, patch }) => ({
    entityType: urn.split(":")[2],
    entityUrn: urn,
    changeType: "PATCH",
    aspectName,
    aspect: { value: asciiJson(patch), contentType: "application/json-patch+json" },
  }));
  return (await post("/aspects?action=ingestProposalBatch", { proposals, async: "false" }))["value"];
}
