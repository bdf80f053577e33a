import { describe, expect, test } from "vitest";
import type { Change, SetChange } from "../../../src/model/change.ts";
import { reviewMarkdown } from "../../../src/report/github/review.ts";
import { reviewSentence } from "../../../src/report/github/review-sentence.ts";
import { datasetNamed, urn } from "../../support/states.ts";
import { conflict, findings, losses, planOf, problems, usualChanges } from "../plans.ts";

const page = "https://github.com/acme/data/blob/4f1c0de";
const view = {
  run: "https://github.com/acme/data/actions/runs/77",
  linkOf: ({ file, line }: { readonly file: string; readonly line: number }) => `${page}/${file}#L${line}`,
};

test("what is in the way comes first, then what is lost, then what is added", async () => {
  const plan = planOf({
    changes: [...usualChanges, conflict, ...losses],
    findings,
    problems,
    names: { "urn:li:domain:finance": "Finance", "urn:li:tag:pii": "PII" },
    summary: { create: 1, update: 2, delete: 2 },
  });
  await expect(
    reviewMarkdown([{ plan }], { ...view, mentions: ["acme/finance", "alice"] }),
  ).toMatchFileSnapshot("expected/review-everything.md");
});

test("several results are told one after the other, also where there is no plan", async () => {
  const saved = {
    code: "new-code",
    severity: "error",
    args: {},
    message: "no `platfrom`",
    source: "",
  } as const;
  const results = [
    { problems: [{ ...saved, origin: { file: "catalog/a.yaml", line: 3, column: 1 } }] },
    { failure: { code: "unreachable", message: "cannot connect to http://x: @refused" } },
    { plan: planOf({ summary: { unchanged: 3 } }) },
  ];
  const titles = ["dev.json", "test.json", "prod `1`.json"];
  await expect(reviewMarkdown(results, { ...view, titles })).toMatchFileSnapshot(
    "expected/review-several.md",
  );
});

test("a change that is replaced or removed is listed once", () => {
  const plan = planOf({ changes: [...usualChanges, ...losses] });
  const text = reviewMarkdown([{ plan }], view);
  expect(text.match(/^[-+] domain: /gm)).toHaveLength(3);
  const removed = losses.flatMap((change) => (change.shape === "set" ? change.remove : []));
  for (const value of removed.map(String)) expect(text.split(`: ${value}`)).toHaveLength(2);
});

const many = (length: number): readonly Change[] =>
  Array.from({ length }, (_, index): Change => ({
    ...(usualChanges[4] as SetChange),
    urn: datasetNamed(`topic-${index}`),
    add: [`urn:li:tag:t${index}`],
  }));

test("a text that is too long is cut at a whole entry, counted, and names the run", () => {
  const text = reviewMarkdown([{ plan: planOf({ changes: many(1500) }) }], view);
  expect(text.length).toBeLessThanOrEqual(65_536);
  const [, left] = /… and ([\d,]+) more changes/.exec(text) ?? [];
  const shown = text.match(/^@@ /gm) ?? [];
  expect(shown.length + Number(left?.replaceAll(",", ""))).toBe(1500);
  expect(text).toContain(
    `[The run](${view.run}) has the full plan as an artifact, and shows more of it in its summary.`,
  );
  expect(text.match(/```/g)?.length).toBe(2);
});

test("with the address of a page a review links to it, also for what it leaves out", () => {
  const address = "https://github.com/acme/catalog/actions/runs/1/artifacts/2";
  const text = reviewMarkdown([{ plan: planOf({ changes: many(1500) }) }], { ...view, page: address });

  expect(text).toContain(`[The page](${address}) shows the full plan.`);
  expect(text).toContain(`[page](${address}) · [run](`);
});

test("with the address of DataHub a review links to what it is about, as far as there is room", async () => {
  const links = "https://datahub.acme.com";
  const plan = planOf({
    changes: [...usualChanges, ...losses],
    links,
    names: { "urn:li:domain:finance": "Finance" },
  });
  await expect(reviewMarkdown([{ plan }], view)).toMatchFileSnapshot("expected/review-links.md");
  const long = reviewMarkdown([{ plan: planOf({ changes: many(1500), links }) }], view);
  expect(long.length).toBeLessThanOrEqual(65_536);
  expect(long).not.toContain("In DataHub");
});

test("a plan is for its environment, else for its server", () => {
  const plan = planOf({ summary: { unchanged: 3 } });
  const prod = { ...plan, scope: { directory: "catalog", environment: "prod" } };
  expect(reviewMarkdown([{ plan }], view)).toMatch(/^### Plan for `http:\/\/[^`]+`\n\n/);
  expect(reviewMarkdown([{ plan: prod }], view)).toMatch(/^### Plan for `prod`\n\n/);
  expect(reviewMarkdown([{ plan: prod }, { plan }], { ...view, titles: ["a.json", "b.json"] })).toMatch(
    /^### Plan for `prod` \(`a.json`\)\n\n/,
  );
});

test("several plans that are too long share the room", () => {
  const results = [many(1500), many(1200)].map((changes) => ({ plan: planOf({ changes }) }));
  const text = reviewMarkdown(results, { ...view, mentions: ["alice"] });
  expect(text.length).toBeLessThanOrEqual(65_000);
  expect(text.match(/… and [\d,]+ more changes/g)).toHaveLength(2);
  expect(text).toMatch(/\nOwners: @alice\n$/);
});

test("of very many plans the last ones are counted", () => {
  const results = Array.from({ length: 100 }, () => ({
    plan: planOf({ changes: [...losses, ...many(10)], findings, problems }),
  }));
  const text = reviewMarkdown(results, view);
  expect(text.length).toBeLessThanOrEqual(65_000);
  const [, left] = /… and (\d+) more plans\. /.exec(text) ?? [];
  expect(text.match(/^<sub>Server/gm)).toHaveLength(100 - Number(left));
});

describe("the sentence", () => {
  const owner = (name: string, type = "technical_owner") => ({
    owner: `urn:li:corpuser:${name}`,
    type: `urn:li:ownershipType:__system__${type}`,
  });
  const fingerprint = "0".repeat(64);
  const owners = (name: string, add: readonly string[], remove: readonly string[]): Change => ({
    action: "update",
    shape: "set",
    kind: "Dataset",
    urn: datasetNamed(name),
    facet: "owners",
    add: add.map((each) => owner(each)),
    remove: remove.map((each) => owner(each)),
    fingerprint,
  });
  const domain = (name: string, before: string | null, after: string | null): Change => ({
    action: "update",
    shape: "scalar",
    kind: "Dataset",
    urn: datasetNamed(name),
    facet: "domain",
    before,
    after,
    fingerprint,
  });
  const deletion = (id: string, assignments?: number): Change => ({
    action: "delete",
    shape: "entity",
    kind: "Tag",
    urn: urn(`urn:li:tag:${id}`),
    fingerprint,
    ...(assignments !== undefined && { assignments }),
  });
  const renamed = (of: string, before: string, after: string): Change =>
    ({
      ...domain("a", before, after),
      kind: "Domain",
      urn: urn(of),
      facet: "name",
    }) as Change;
  const growth = "urn:li:domain:growth";
  const names = { [growth]: "Growth", "urn:li:corpuser:ben": "Ben" };

  test.each<readonly [string, readonly Change[]]>([
    ["Nothing changes.", []],
    ["Conflicts hold back all changes.", [conflict]],
    [
      "1 tag is deleted with 41 assignments, Ben is no longer an owner of 2 datasets, domain Growth gets 3 datasets.",
      [
        ...["a", "b", "c"].map((name) => domain(name, null, growth)),
        owners("a", [], ["ben"]),
        owners("b", [], ["ben"]),
        deletion("old", 41),
      ],
    ],
    [
      "3 tags are deleted with 1,000 assignments (and an unknown number of assignments).",
      [deletion("a", 1000), deletion("b"), deletion("c", 0)],
    ],
    ["1 tag is deleted.", [deletion("a", 0)]],
    ["1 dataset moves from `sales` to Growth.", [domain("a", "urn:li:domain:sales", growth)]],
    [
      "2 datasets move from Growth to `sales`, 1 dataset moves from `sales` to Growth, domain `sales` loses 1 dataset.",
      [
        domain("a", "urn:li:domain:sales", growth),
        domain("b", growth, "urn:li:domain:sales"),
        domain("c", growth, "urn:li:domain:sales"),
        domain("d", "urn:li:domain:sales", null),
      ],
    ],
    [
      "1 domain moves from `corporate` to Growth.",
      [
        {
          ...domain("a", "urn:li:domain:corporate", growth),
          kind: "Domain",
          facet: "parent_domain",
        } as Change,
      ],
    ],
    [
      "Domain `growth` is renamed from Growing to Growth *2*.".replace("*2*", "\\*2\\*"),
      [renamed(growth, "Growing", "Growth *2*")],
    ],
    ["4 domains are renamed.", ["a", "b", "c", "d"].map((id) => renamed(`urn:li:domain:${id}`, "x", id))],
    ["1 value is set.", [{ ...renamed(growth, "x", "y"), before: null } as Change]],
    [
      "Tag `pii` is added to 1 column and 1 dataset.",
      [usualChanges[2]!, { ...usualChanges[4]!, add: ["urn:li:tag:pii"] } as Change],
    ],
    ["Domain Growth loses 1 dataset.", [domain("a", growth, null)]],
    ["`alice@acme.com` becomes an owner of 1 dataset.", [owners("a", ["alice@acme.com"], [])]],
    [
      "1 value is replaced.",
      [{ ...owners("a", [], []), add: [owner("ben", "data_steward")], remove: [owner("ben")] } as Change],
    ],
    [
      "1 tag is created, tag `pii` is added to 1 column, tag `tier-1` is added to 1 dataset.",
      usualChanges.filter((change) => change.facet !== "domain"),
    ],
  ])("reads “%s”", (text, changes) => {
    expect(reviewSentence({ changes, names })).toBe(text);
  });

  test("is cut after ten parts", () => {
    const changes = Array.from({ length: 13 }, (_, index) =>
      domain(`d${index}`, null, `urn:li:domain:d${index}`),
    );
    expect(reviewSentence({ changes })).toMatch(/^(?:[Dd]omain `d\d+` gets 1 dataset, ){10}and 3 more\.$/);
  });

  test("hides no owners, removals and deletions behind lesser things", () => {
    const tag = (name: string, index: number): Change =>
      ({ ...owners(name, [], []), facet: "tags", add: [`urn:li:tag:t${index}`] }) as Change;
    const lesser = Array.from({ length: 12 }, (_, index) => tag("a", index)).flatMap((each) => [
      each,
      { ...each, urn: datasetNamed("b") },
    ]);
    const changes = [
      ...lesser,
      owners("c", ["ben"], ["zoe"]),
      { ...owners("c", [], []), facet: "tags", remove: ["urn:li:tag:gone"] } as Change,
      deletion("old", 0),
    ];
    expect(reviewSentence({ changes, names })).toMatch(
      /^1 tag is deleted, `zoe` is no longer an owner of 1 dataset, Ben becomes an owner of 1 dataset, tag `gone` is removed from 1 dataset, (?:tag `t\d+` is added to 2 datasets, ){6}and 6 more\.$/,
    );
  });

  test("links to the pages of DataHub where its address is known", () => {
    const changes = [domain("a", null, growth), owners("a", ["100%/b"], [])];
    expect(reviewSentence({ changes, names, links: "https://datahub.acme.com" })).toBe(
      "[`100%/b`](<https://datahub.acme.com/user/urn%3Ali%3Acorpuser%3A100%7B%7Bencoded_percent%7D%7D%2Fb/>) becomes an owner of 1 dataset, " +
        "domain [Growth](<https://datahub.acme.com/domain/urn%3Ali%3Adomain%3Agrowth/>) gets 1 dataset.",
    );
  });

  test("cannot mention anybody, link, or be Markdown", () => {
    const changes = [domain("a", null, growth)];
    const text = reviewSentence({ changes, names: { [growth]: "@bob *x* #12 <b>" } });
    expect(text).toBe("Domain @&#8203;bob \\*x\\* #&#8203;12 &lt;b\\> gets 1 dataset.");
  });
});
