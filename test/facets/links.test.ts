import { describe, expect, test } from "vitest";
import { attributionIn } from "../../src/facets/attribution.ts";
import { links } from "../../src/facets/links.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { setOf } from "../../src/model/state.ts";
import { dataset, editsOf, scalarChange, sentFor, setChange } from "./changes.ts";

const wiki = "https://wiki.acme.com/a";
const runbook = { url: wiki, label: "Runbook" };
const plain = { url: wiki, label: wiki };
const storedRunbook = { url: wiki, description: "Runbook" };

test.each<readonly [string, Json, object]>([
  ["a URL alone", wiki, plain],
  ["a URL without a label", { url: wiki }, plain],
  ["a label", { url: wiki, label: "Runbook" }, runbook],
  ["a scheme in capitals", "HTTP://a", { url: "HTTP://a", label: "HTTP://a" }],
  ["an address", "mailto:a@acme.com", { url: "mailto:a@acme.com", label: "mailto:a@acme.com" }],
])("a link is taken: %s", (_, written, value) => {
  expect(links.parse(written)).toEqual({ value, references: [] });
});

test.each<readonly [Json, string, readonly string[]]>([
  ["wiki.acme.com/a", "wiki.acme.com/a", []],
  ["see https://acme.com", "see https://acme.com", []],
  ["https://acme.com/a b", "https://acme.com/a b", []],
  ["https:", "https:", []],
  ["https:// acme.com", "https:// acme.com", []],
  ["/wiki/invoices", "/wiki/invoices", []],
  ["javascript:alert(1)", "javascript:alert(1)", []],
  ["gopher://acme.com", "gopher://acme.com", []],
  [{ url: "runbook", label: "Runbook" }, "runbook", ["url"]],
])("a link that is no absolute URL is refused: %j", (written, text, at) => {
  expect(links.parse(written)).toEqual({ refusal: { code: "malformed-url", args: { text }, at } });
});

test("a link whose label is its URL is written and shown as the URL alone", () => {
  const called = (text: string): string => text;

  expect([links.written(plain), links.written(runbook)]).toEqual([wiki, { url: wiki, label: "Runbook" }]);
  expect([links.format(plain, called), links.format(runbook, called)]).toEqual([wiki, `Runbook (${wiki})`]);
});

describe("stored links", () => {
  const observed = (elements: Json | undefined): unknown =>
    links.observe({ institutionalMemory: { elements } }, "Dataset");

  test("are read with their labels, which the aspect calls descriptions", () => {
    expect(observed([{ ...storedRunbook, createStamp: { time: 1 } }, { url: "b" }, {}])).toEqual({
      value: setOf([runbook, { url: "b", label: "" }, { url: "", label: "" }]),
    });
    expect(observed(undefined)).toEqual({ value: setOf([]) });
  });

  test.each<readonly [Json, string]>([
    ["x", "the links are not a list of objects"],
    [[{ url: 7 }], "a link has a URL or label that is not a string"],
    [[{ url: wiki, description: null }], "a link has a URL or label that is not a string"],
  ])("that are %j are malformed", (elements, message) => {
    expect(() => observed(elements)).toThrow(`the server returned a malformed response: ${message}`);
  });

  test.each<readonly [string, JsonObject, JsonObject | undefined]>([
    ["by who created one", { createStamp: { actor: "a" } }, { actor: "a" }],
    ["by who updated one", { createStamp: { actor: "a" }, updateStamp: { actor: "b" } }, { actor: "b" }],
    ["by nobody known", {}, undefined],
  ])("were written %s", (_, stamps, by) => {
    const stored = {
      elements: [
        { url: wiki, description: "Other", createStamp: { actor: "x" } },
        { ...storedRunbook, ...stamps },
      ],
    };

    expect(attributionIn(setChange("links", []), runbook, stored)).toEqual(by);
    expect(attributionIn(setChange("links", []), plain, stored)).toBeUndefined();
  });
});

test("links are added one by one, and taken away by an edit of their aspect", () => {
  const resource = { label: "Runbook", linkUrl: wiki, resourceUrn: dataset };
  const edit = { at: ["elements"], add: [], remove: [storedRunbook], created: "createStamp" };

  expect(sentFor(setChange("links", [runbook], [runbook]))).toEqual([
    {
      request: {
        type: "mutation",
        field: "addLink",
        args: [{ name: "input", type: "AddLinkInput!", value: resource }],
      },
      adds: [runbook],
    },
    {
      request: {
        type: "proposal",
        urn: dataset,
        aspect: "institutionalMemory",
        initial: {},
        set: {},
        edits: [edit],
      },
      removes: [runbook],
    },
  ]);
  expect(editsOf(setChange("links", [plain], [runbook]))).toEqual([
    { ...edit, add: [{ element: { url: wiki, description: wiki } }] },
  ]);
});

test("a link as a single value is a fault of ours", () => {
  expect(() => sentFor(scalarChange("links", wiki))).toThrow("unexpected shape of a change to links: scalar");
});

test("only newer servers take links of ML model groups, and tell those of one URL apart", () => {
  expect(links.needs?.("MLModelGroup", runbook)).toEqual({
    field: "MLModelGroup.institutionalMemory",
    release: "1.4",
    what: "a link on an ML model group",
  });
  expect(links.needs?.("Dataset", runbook)).toBeUndefined();
  expect(links.alike).toMatchObject({
    field: "InstitutionalMemoryMetadata.updated",
    release: "1.4",
    what: "a second label for the same URL",
  });
  expect([links.alike?.keyOf(runbook), links.alike?.keyOf(wiki)]).toEqual([wiki, wiki]);
});
