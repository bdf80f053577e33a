import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import { tagsOf } from "../assigned.ts";
import { expectSet, expectThat } from "../expect-equal.ts";
import { makeDataset } from "../made-assets.ts";
import { patchRows } from "../required.ts";
import { proposalOf, type StoredCatalog } from "../stored-catalog.ts";
import { NotAvailable, type Trial } from "../trial.ts";

const bySource = "attribution\u241Fsource";
const source = "urn:li:dataHubAction:acceptance";

/** What the writes of assignments rely on, asked of the server itself. */
export const patches: Trial = {
  name: "patches",
  tries: Object.values(patchRows),
  run: async ({ check, stored, urn, ...trying }) => {
    const [a, b] = ["a", "b"].map((name) => urn("tag", name)) as [string, string];
    const make = (name: string): Promise<string> => makeDataset({ check, stored, urn, ...trying }, name);
    const [versioned, keyed, first, second] = (await Promise.all(["v", "k", "f", "s"].map(make))) as [
      string,
      string,
      string,
      string,
    ];
    await check(patchRows.version, async () => {
      await requireAttributions(stored);
      const adding = (tag: string): JsonObject =>
        proposalOf(versioned, "globalTags", { patch: [added(`/tags/${tag}`, tag)], version: "-1" });
      expectThat("a patch for no version makes an aspect", await isWritten(stored, adding(a)));
      expectThat(
        "a patch for no version is refused where there is one",
        !(await isWritten(stored, adding(b))),
      );
      expectSet("tags", await tagsOf(stored, versioned), [a]);
    });
    await check(patchRows.keys, async () => {
      await requireAttributions(stored);
      await stored.propose(keyed, "globalTags", { tags: [{ tag: a }] });
      const attribution = { time: 0, actor: "urn:li:corpuser:datahub", source };
      const patch = {
        patch: [{ op: "add", path: `/tags/${source}/${a}`, value: { tag: a, attribution } }],
        arrayPrimaryKeys: { tags: [bySource, "tag"] },
      };
      await stored.patch(keyed, "globalTags", patch);
      expectSet("tags", await tagsOf(stored, keyed), [a, a]);
    });
    await check(patchRows.batch, async () => {
      const tagging = (of: string, version: string): JsonObject =>
        proposalOf(of, "globalTags", { value: { tags: [{ tag: a }] }, version });
      const both = (version: string): JsonObject[] => [tagging(first, "-1"), tagging(second, version)];
      expectThat("a batch with another version is refused", !(await isWritten(stored, ...both("7"))));
      expectSet("tags", await tagsOf(stored, first), []);
      expectThat("a batch is written", await isWritten(stored, ...both("-1")));
      for (const dataset of [first, second]) expectSet("tags", await tagsOf(stored, dataset), [a]);
    });
  },
};

function added(path: string, tag: string): JsonObject {
  return { op: "add", path, value: { tag } };
}

/** Sends proposals in one request. */
async function isWritten({ ask }: StoredCatalog, ...proposals: readonly JsonObject[]): Promise<boolean> {
  const { status, body } = await ask("/aspects?action=ingestProposalBatch", { proposals, async: "false" });
  return status === 200 && isJsonObject(body) && body["value"] === "success";
}

const fieldsDocument = 'query FieldsOfTags { __type(name: "TagAssociation") { fields { name } } }';

/** The tool sends patches where the server keeps attributions. */
async function requireAttributions({ graphql }: StoredCatalog): Promise<void> {
  const { __type: type } = await graphql(fieldsDocument, {});
  const fields: Json = isJsonObject(type) ? (type["fields"] ?? []) : [];
  const hasThem =
    Array.isArray(fields) &&
    fields.some((each: Json) => isJsonObject(each) && each["name"] === "attribution");
  if (!hasThem) throw new NotAvailable("the release keeps no attributions of tags, so no patches are sent");
}
