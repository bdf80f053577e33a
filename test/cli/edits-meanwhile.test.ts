import { expect, test } from "vitest";
import { createAspectClient } from "../../src/datahub/aspect-client.ts";
import { connectionTo } from "../../src/datahub/connection.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Site } from "../support/site.ts";
import { siteToChange, toRemove } from "../support/site-to-change.ts";
import { datasetNamed, urn } from "../support/states.ts";
import { type ReportJson, valuesAfter, valuesIn } from "../support/stored-values.ts";

// What is stale by each edit is in `test/plan/recheck/verdict.test.ts`.

const [d0, d1, lone] = [datasetNamed("d0"), datasetNamed("d1"), datasetNamed("lone")];

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

const tagOf = (id: string, resource: string, column = ""): string =>
  `input: { tagUrn: "urn:li:tag:${id}", resourceUrn: "${resource}"${column === "" ? "" : `, subResource: "${column}", subResourceType: DATASET_FIELD`} }`;

/** The places of which something was held back for itself, with what became of it. */
function heldIn({ outcomes }: ReportJson): readonly string[] {
  const held = outcomes.filter(({ status }) => status === "stale" || status === "failed");
  return [...new Set(held.map(({ urn: of, facet, status }) => `${of} ${facet} ${status}`))].toSorted();
}

const staleOf = (of: string, ...facets: readonly string[]): readonly string[] =>
  facets.map((facet) => `${of} ${facet} stale`);

/** Edits of others, and what each of them holds back. */
const edits: readonly (readonly [Edit, readonly string[]])[] = [
  [mutation(`addTag(${tagOf("theirs", d0)})`), staleOf(d0, "tags")],
  [mutation(`addTag(${tagOf("theirs", d0, "email")})`), staleOf(d0, "columns.tags")],
  [mutation(`setDomain(entityUrn: "${d0}", domainUrn: "urn:li:domain:theirs")`), staleOf(d0, "domain")],
  [
    mutation(
      `addOwner(input: { ownerUrn: "urn:li:corpuser:dave", ownerEntityType: CORP_USER, resourceUrn: "${d0}", ownershipTypeUrn: "urn:li:ownershipType:__system__technical_owner" })`,
    ),
    staleOf(d0, "owners"),
  ],
  [put(d1, "status", { removed: true }), staleOf(d1, "columns.tags", "domain", "owners", "tags")],
  // Whether what is added to an asset is still there, only the server looks.
  [mutation('deleteDomain(urn: "urn:li:domain:home")'), [`${lone} domain failed`]],
  [mutation('createTag(input: { id: "pii", name: "Theirs" })'), staleOf("urn:li:tag:pii", "name")],
  [
    mutation(
      'addGroupMembers(input: { groupUrn: "urn:li:corpGroup:team", userUrns: ["urn:li:corpuser:dave"] })',
    ),
    staleOf("urn:li:corpGroup:team", "members"),
  ],
  [
    mutation('updateDescription(input: { resourceUrn: "urn:li:domain:sales", description: "theirs" })'),
    staleOf("urn:li:domain:sales", "description"),
  ],
];

test("edits while the question stands open hold back only what they are about", async () => {
  const site = await siteToChange(2);
  const values = (): readonly string[] => valuesIn(site.catalog.aspects());
  const planned = values();
  let edited = planned;
  const meanwhile = async (): Promise<void> => {
    for (const [edit] of edits) await edit(site);
    edited = values();
  };

  const argv = ["apply", ...toRemove, "--format", "json"];
  const { code, stdout } = await site.run(argv, { answers: ["yes"], meanwhile });

  const report = JSON.parse(stdout) as ReportJson;
  const applied = values();
  expect({ code, held: heldIn(report) }).toEqual({
    code: 7,
    held: edits.flatMap(([, held]) => held).toSorted(),
  });
  expect(applied).toEqual(valuesAfter(edited, report));
  // Nobody's value is lost, and none comes back that somebody took away.
  expect(edited.filter((value) => !planned.includes(value) && !applied.includes(value))).toEqual([]);
  expect(planned.filter((value) => !edited.includes(value) && applied.includes(value))).toEqual([]);
});

test("the plan of a review that is applied an hour later is refused for an edit against it, or leaves that out", async () => {
  const site = await siteToChange(2);
  await site.plan("--out", "plan.json");
  await mutation(`addTag(${tagOf("theirs", lone)})`)(site);
  await mutation(`addTag(${tagOf("ready", d0)})`)(site);
  await mutation(`setDomain(entityUrn: "${d0}", domainUrn: "urn:li:domain:theirs")`)(site);
  const before = valuesIn(site.catalog.aspects());
  const apply = async (...flags: readonly string[]) => {
    const argv = ["apply", "plan.json", ...toRemove, "--format", "json", ...flags];
    const { code, stdout } = await site.run(argv, { now: () => new Date(3_600_000) });
    return { code, report: JSON.parse(stdout) as ReportJson, after: valuesIn(site.catalog.aspects()) };
  };

  const refused = await apply();
  expect(refused).toMatchObject({ code: 6, after: before });
  expect(heldIn(refused.report)).toEqual(staleOf(d0, "domain"));

  const { code, report, after } = await apply("--allow-partial");
  expect({ code, startedAt: report.run.startedAt }).toEqual({
    code: 0,
    startedAt: "1970-01-01T01:00:00.000Z",
  });
  expect(report.outcomes.filter(({ status }) => status !== "applied")).toMatchObject([
    { status: "skipped", urn: d0, facet: "domain" },
  ]);
  expect(after).toEqual(valuesAfter(before, report));
  expect(after).toContain(`${lone} tags urn:li:tag:theirs`);
  expect(after).toContain(`${d0} domain urn:li:domain:theirs`);
});
