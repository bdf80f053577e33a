import { describe, expect, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Site } from "../support/site.ts";
import { siteToChange, toRemove } from "../support/site-to-change.ts";
import { datasetNamed, urn } from "../support/states.ts";
import { type ReportJson, valuesAfter, valuesIn } from "../support/stored-values.ts";

const d0 = datasetNamed("d0");

/** What another client of the server does to it. */
type Edit = (site: Site) => Promise<unknown>;

const mutation =
  (text: string): Edit =>
  ({ edit }) =>
    edit(text);

/** Writes an aspect over what is there. */
const put =
  (of: string, aspect: string, value: JsonObject): Edit =>
  async ({ catalog }) => {
    const client = createAspectClient(connectionTo(catalog.url));
    const { version } = await client.read(urn(of), aspect);
    expect(await client.write([{ urn: urn(of), aspect, value, version }])).toEqual({ status: "written" });
  };

const deleteDataset: Edit = async ({ catalog }) => {
  const path = `${catalog.url}/openapi/v3/entity/dataset/${encodeURIComponent(d0)}`;
  expect((await fetch(path, { method: "DELETE" })).status).toBe(200);
};

const tagOf = (id: string, resource: string, column = ""): string =>
  `input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${resource}"${column === "" ? "" : `, subResource: "${column}", subResourceType: DATASET_FIELD`} }`;

interface Applied {
  readonly code: number;
  readonly report: ReportJson;
  /** The values before and after the edit, and after the apply. */
  readonly planned: readonly string[];
  readonly edited: readonly string[];
  readonly applied: readonly string[];
}

/** Applies, with an edit while the question stands open. */
async function appliedWith(edit: Edit): Promise<Applied> {
  const site = await siteToChange(2);
  const values = (): readonly string[] => valuesIn(site.catalog.aspects());
  const planned = values();
  let edited = planned;
  const meanwhile = async (): Promise<void> => {
    await edit(site);
    edited = values();
  };
  const argv = ["apply", ...toRemove, "--format", "json"];
  const { code, stdout } = await site.run(argv, { answers: ["yes"], meanwhile });
  return { code, report: JSON.parse(stdout) as ReportJson, planned, edited, applied: values() };
}

/** The places of which something was held back for itself, with what became of it. */
function heldIn({ outcomes }: ReportJson): readonly string[] {
  const held = outcomes.filter(({ status }) => status === "stale" || status === "failed");
  return [...new Set(held.map(({ urn: of, facet, status }) => `${of} ${facet} ${status}`))].toSorted();
}

const staleOfD0 = (...facets: readonly string[]): readonly string[] =>
  facets.map((facet) => `${d0} ${facet} stale`);
const all = staleOfD0("columns.tags", "domain", "owners", "tags");
const d1 = datasetNamed("d1");
const lone = datasetNamed("lone");

test.each<readonly [string, Edit, number, readonly string[]]>([
  ["a tag was added", mutation(`addTag(${tagOf("theirs", d0)})`), 6, staleOfD0("tags")],
  ["a tag was removed", mutation(`removeTag(${tagOf("kept", d0)})`), 6, staleOfD0("tags")],
  [
    "the domain was changed",
    mutation(`setDomain(entityUrn: "${d0}", domainUrn: "urn:li:domain:theirs")`),
    6,
    staleOfD0("domain"),
  ],
  ["the domain was unset", mutation(`unsetDomain(entityUrn: "${d0}")`), 6, staleOfD0("domain")],
  [
    "an owner was added",
    mutation(
      `addOwner(input: { ownerUrn: "urn:li:corpuser:dave", ownerEntityType: CORP_USER, resourceUrn: "${d0}", ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner" })`,
    ),
    6,
    staleOfD0("owners"),
  ],
  [
    "an owner was removed whom the plan replaces",
    mutation(
      `batchRemoveOwners(input: { ownerUrns: ["urn:li:corpuser:bob"], resources: [{ resourceUrn: "${d0}" }] })`,
    ),
    0,
    [],
  ],
  ["a column got a tag", mutation(`addTag(${tagOf("theirs", d0, "email")})`), 6, staleOfD0("columns.tags")],
  ["a dataset was soft-deleted", put(d0, "status", { removed: true }), 6, all],
  ["a dataset was deleted", deleteDataset, 6, all],
  [
    "a user was deleted whom the plan changes",
    mutation('removeUser(urn: "urn:li:corpuser:bob")'),
    6,
    ["urn:li:corpuser:bob display_name stale"],
  ],
  // Whether what is added to an asset is still there, only the server looks.
  [
    "a user was deleted who becomes an owner",
    mutation('removeUser(urn: "urn:li:corpuser:dave")'),
    7,
    [`${lone} owners failed`],
  ],
  [
    "a tag was deleted that the plan adds",
    mutation('deleteTag(urn: "urn:li:tag:ready")'),
    7,
    [`${d0} tags failed`, `${d1} tags failed`],
  ],
  [
    "a domain was deleted that the plan sets",
    mutation('deleteDomain(urn: "urn:li:domain:home")'),
    7,
    [`${lone} domain failed`],
  ],
  [
    "a tag was created that the plan creates",
    mutation('createTag(input: { id: "pii", name: "Theirs" })'),
    6,
    ["urn:li:tag:pii name stale"],
  ],
  [
    "a member joined a group",
    mutation(
      'addGroupMembers(input: { groupUrn: "urn:li:corpGroup:team", userUrns: ["urn:li:corpuser:dave"] })',
    ),
    6,
    ["urn:li:corpGroup:team members stale"],
  ],
  [
    "a description was edited",
    mutation('updateDescription(input: { resourceUrn: "urn:li:domain:sales", description: "theirs" })'),
    6,
    ["urn:li:domain:sales description stale"],
  ],
])(
  "%s while the question stood open: only what it is about is held back",
  async (_, edit, expected, held) => {
    const { code, report, planned, edited, applied } = await appliedWith(edit);

    expect(edited).not.toEqual(planned);
    expect(applied).toEqual(valuesAfter(edited, report));
    expect({ code, held: heldIn(report) }).toEqual({ code: expected, held });
    // Nobody's value is lost, and none comes back that somebody took away.
    expect(edited.filter((value) => !planned.includes(value) && !applied.includes(value))).toEqual([]);
    expect(planned.filter((value) => !edited.includes(value) && applied.includes(value))).toEqual([]);
  },
);

describe("the plan of a review that is applied an hour later", () => {
  const hour = 3_600_000;
  const notOurs = mutation(`addTag(${tagOf("theirs", lone)})`);
  const asPlanned = mutation(`addTag(${tagOf("ready", d0)})`);
  const against = mutation(`setDomain(entityUrn: "${d0}", domainUrn: "urn:li:domain:theirs")`);

  /** Applies it with these edits in between. */
  async function appliedAfter(edits: readonly Edit[], ...flags: readonly string[]) {
    const site = await siteToChange(2);
    await site.plan("--out", "plan.json");
    for (const edit of edits) await edit(site);
    site.commit({ "catalog/later.yaml": "kind: Tag\nid: later\n" });
    const before = valuesIn(site.catalog.aspects());
    const argv = ["apply", "plan.json", ...toRemove, "--format", "json", ...flags];
    const { code, stdout } = await site.run(argv, { now: () => new Date(hour) });
    const report = JSON.parse(stdout) as ReportJson;
    return { code, report, before, after: valuesIn(site.catalog.aspects()) };
  }

  test("is applied where the edits are not about it, or did a part of it", async () => {
    const { code, report, before, after } = await appliedAfter([notOurs, asPlanned]);

    expect({ code, held: heldIn(report), startedAt: report.run.startedAt }).toEqual({
      code: 0,
      held: [],
      startedAt: "1970-01-01T01:00:00.000Z",
    });
    expect(after).toEqual(valuesAfter(before, report));
    expect(after).toContain(`${lone} tags urn:li:tag:theirs`);
  });

  test("is refused as a whole where one of the edits is against it", async () => {
    const { code, report, before, after } = await appliedAfter([notOurs, asPlanned, against]);

    expect({ code, held: heldIn(report) }).toEqual({ code: 6, held: staleOfD0("domain") });
    expect(after).toEqual(before);
  });

  test("leaves out only what an edit is against where that is allowed", async () => {
    const { code, report, before, after } = await appliedAfter(
      [notOurs, asPlanned, against],
      "--allow-partial",
    );

    expect(code).toBe(0);
    expect(report.outcomes.filter(({ status }) => status !== "applied")).toMatchObject([
      { status: "skipped", urn: d0, facet: "domain" },
    ]);
    expect(after).toEqual(valuesAfter(before, report));
    expect(after).toContain(`${d0} domain urn:li:domain:theirs`);
  });
});
