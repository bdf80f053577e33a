import { expect, test } from "vitest";
import { metadataFile, type MadeAspect, temporaryDirectory } from "../support/catalog.ts";
import { schemaWith } from "../support/schema.ts";
import { siteWith } from "../support/site.ts";
import { datasetNamed } from "../support/states.ts";

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const settings = "version: 1\nguards: { removals: { max_count: 100000, max_percent: 100 } }\n";
const stamp = { time: 0, actor: "urn:li:corpuser:x" };

/** How many entities change, and how many requests an apply takes to look at them and to read them back. */
async function readsOf(manifests: readonly string[], aspects: readonly MadeAspect[]) {
  const site = await siteWith({ "all.yaml": manifests.join("\n") }, settings);
  await site.catalog.load(metadataFile(temporaryDirectory(), aspects));
  let before = 0;
  const { code, stdout } = await site.run(["apply", "--format", "json"], {
    answers: ["yes"],
    meanwhile: async () => {
      before = site.catalog.requests.length;
    },
  });
  const { plan } = JSON.parse(stdout) as { plan: { changes: readonly { urn: string }[] } };
  const reads = site.catalog.requests.slice(before).filter(({ path, body }) => {
    const { query = "" } = (body ?? {}) as { query?: string };
    return !query.startsWith("mutation") && !path.startsWith("/aspects?");
  });
  return { code, changed: new Set(plan.changes.map(({ urn }) => urn)).size, reads: reads.length };
}

const dataset = (index: number, more: string): string =>
  `- { kind: Dataset, platform: snowflake, name: d${String(index).padStart(4, "0")}, ${more} }`;
const datasetUrn = (index: number): string => datasetNamed(`d${String(index).padStart(4, "0")}`);

// Apart from three requests for 100 entities: one probes the batches of aspects, one searches for references to new entities, one probes a
// type, and entities that look like those that the token may not view are read once more, before and after the writes.
test.each<readonly [string, number, readonly string[], readonly MadeAspect[]]>([
  [
    "datasets whose domain, owners and tags change, of which some are new",
    3,
    [
      ...numbers(200).map((index) =>
        dataset(index, "domain: a, tags: [new, t], owners: [{ user: u, type: DATA_STEWARD }]"),
      ),
      "- { kind: Tag, id: new }",
    ],
    [
      ["urn:li:domain:a", "domainProperties", { name: "a" }],
      ["urn:li:tag:t", "tagProperties", { name: "t" }],
      ["urn:li:corpuser:u", "corpUserInfo", { active: true }],
      ...numbers(200).map((index): MadeAspect => [
        datasetUrn(index),
        "ownership",
        { owners: [{ owner: "urn:li:corpuser:u", type: "TECHNICAL_OWNER" }], lastModified: stamp },
      ]),
    ],
  ],
  [
    "datasets of which every second has tagged columns",
    0,
    numbers(200).map((index) =>
      dataset(index, index % 2 === 0 ? "tags: [t]" : "columns: { email: { tags: [t] } }"),
    ),
    [
      ["urn:li:tag:t", "tagProperties", { name: "t" }],
      ...numbers(200).map((index): MadeAspect => [datasetUrn(index), "schemaMetadata", schemaWith("email")]),
    ],
  ],
  [
    "tags whose fields change",
    1,
    numbers(200).map((index) => `- { kind: Tag, id: t${index}, name: new, description: new }`),
    numbers(200).map((index): MadeAspect => [`urn:li:tag:t${index}`, "tagProperties", { name: "old" }]),
  ],
  [
    "definitions of every kind that are created",
    3,
    numbers(40).flatMap((index) => [
      `- { kind: Tag, id: t${index} }`,
      `- { kind: User, id: u${index}, manager_urn: u${Math.floor(index / 2)} }`,
      `- { kind: Group, id: g${index}, members: [u${index}], owners: [u0] }`,
      `- { kind: Domain, id: d${index}, parent_domain: ${index === 0 ? "none" : `d${Math.floor(index / 2)}`} }`,
    ]),
    [["urn:li:tag:x", "tagProperties", { name: "x" }]],
  ],
  [
    "a chain of domains that is turned over",
    3,
    numbers(40).map(
      (index) =>
        `- { kind: Domain, id: d${index}, parent_domain: ${index === 39 ? "none" : `d${index + 1}`} }`,
    ),
    numbers(40).map((index): MadeAspect => [
      `urn:li:domain:d${index}`,
      "domainProperties",
      { name: `d${index}`, ...(index > 0 && { parentDomain: `urn:li:domain:d${index - 1}` }) },
    ]),
  ],
])(
  "to look and to prove takes three requests for 100 entities at most, and a few once: %s",
  async (_, once, manifests, aspects) => {
    const { code, changed, reads } = await readsOf(manifests, aspects);

    expect(code).toBe(0);
    expect(reads).toBeLessThanOrEqual(3 * Math.ceil(changed / 100) + once);
  },
);
