import { describe, expect, test } from "vitest";
import { liveAspects } from "./support/stories/live.ts";
import { storyOf } from "./support/stories/story.ts";

const story = `Somebody renames a tag.
-- live.yaml --
tag: [pii]
-- catalog/tags.yaml --
{ kind: Tag, id: pii, name: PII }
-- flags --
--prune
-- plan.txt --
old
-- problems.txt --
old
-- 2/catalog/tags.yaml --
-- 2/plan.txt --
old
`;

describe("a story file", () => {
  test("has steps, each with the files that change, and what a run prints", () => {
    expect(storyOf(story)).toMatchObject({
      live: "tag: [pii]\n",
      steps: [
        {
          catalog: { "catalog/tags.yaml": "{ kind: Tag, id: pii, name: PII }\n" },
          flags: ["--prune"],
          ui: undefined,
          expected: { "plan.txt": "old\n", "problems.txt": "old\n" },
        },
        { catalog: { "catalog/tags.yaml": "" }, flags: [], expected: { "plan.txt": "old\n" } },
      ],
    });
  });

  test("that is played as it says is printed as it is", () => {
    const { print, steps } = storyOf(story);
    expect(print(steps.map(({ expected }) => expected))).toBe(story);
  });

  test("keeps its inputs, and no part that a run did not make", () => {
    const printed = storyOf(story).print([{ "plan.txt": "new\n", "requests.txt": "setDomain()" }, {}]);
    expect(printed).toBe(
      story
        .replace(
          "-- plan.txt --\nold\n-- problems.txt --\nold\n",
          "-- plan.txt --\nnew\n-- requests.txt --\nsetDomain()\n",
        )
        .replace("-- 2/plan.txt --\nold\n", ""),
    );
  });

  test.each([
    ["a part that is not known", `${story}-- plan.md --\n`, "no story has a part plan.md"],
    ["such a part of a later step", `${story}-- 2/live.yaml --\n`, "no story has a part 2/live.yaml"],
    ["a part twice", `${story}-- 2/plan.txt --\n`, "the part 2/plan.txt occurs twice"],
    ["a step too many", `${story}-- 4/flags --\n`, "a later step than 3 has parts, and that one has none"],
  ])("with %s is refused by name", (_, text, message) => {
    expect(() => storyOf(text)).toThrow(message);
  });
});

describe("the contents of a catalog in short", () => {
  test("are names, and aspects by entity", () => {
    expect(
      liveAspects(
        "tag: [pii]\ndomain: { finance: Finance }\ncorpuser: { bob: { corpUserInfo: null, status: { removed: true } } }",
      ),
    ).toEqual([
      ["urn:li:tag:pii", "tagProperties", { name: "pii" }],
      ["urn:li:domain:finance", "domainProperties", { name: "Finance" }],
      ["urn:li:corpuser:bob", "status", { removed: true }],
    ]);
  });

  test("have lists in place of aspects of references", () => {
    const [orders] = ["urn:li:dataset:(urn:li:dataPlatform:kafka,orders,DEV)"];
    expect(
      liveAspects(`
dataset:
  kafka,orders,DEV:
    globalTags: [pii]
    domains: [finance]
    ownership: [alice, urn:li:corpGroup:ops DATA_STEWARD]
    editableSchemaMetadata: [{ id: [pii] }]`),
    ).toEqual([
      [orders, "datasetProperties", { name: "orders" }],
      [orders, "globalTags", { tags: [{ tag: "urn:li:tag:pii" }] }],
      [orders, "domains", { domains: ["urn:li:domain:finance"] }],
      [
        orders,
        "ownership",
        expect.objectContaining({
          owners: [
            {
              owner: "urn:li:corpuser:alice",
              type: "TECHNICAL_OWNER",
              typeUrn: "urn:li:ownershipType:__system__technical_owner",
            },
            {
              owner: "urn:li:corpGroup:ops",
              type: "DATA_STEWARD",
              typeUrn: "urn:li:ownershipType:__system__data_steward",
            },
          ],
        }),
      ],
      [
        orders,
        "editableSchemaMetadata",
        expect.objectContaining({
          editableSchemaFieldInfo: [{ fieldPath: "id", globalTags: { tags: [{ tag: "urn:li:tag:pii" }] } }],
        }),
      ],
    ]);
    expect(() => liveAspects("tag: { pii: { institutionalMemory: [x] } }")).toThrow(
      "institutionalMemory has no short form",
    );
  });
});
