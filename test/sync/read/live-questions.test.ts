import { expect, test } from "vitest";
import { facetsOf } from "../../../src/facets/index.ts";
import { setOf } from "../../../src/model/state.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { liveQueryFor, declaresMore, questionsFor } from "../../../src/sync/read/live-questions.ts";
import { datasetNamed, entityOf, stateOf, urn } from "../../support/states.ts";

const [orders, clicks, bare] = ["orders", "clicks", "bare"].map(datasetNamed) as [Urn, Urn, Urn];
const [pii, chart] = [urn("urn:li:tag:pii"), urn("urn:li:chart:(looker,1)")];
const columns = { shape: "map", entries: new Map([["id", setOf([])]]) } as const;

const wanted = stateOf(
  entityOf("Dataset", orders, { tags: setOf([]), "columns.tags": columns }),
  entityOf("Dataset", clicks, { tags: setOf([]) }),
  entityOf("Dataset", bare, {}),
  entityOf("Chart", chart, { owners: setOf([]) }),
  entityOf("Tag", pii, { owners: setOf([]) }),
);

test("assets with a facet that costs much are asked for apart from the others, and so are definitions", () => {
  expect(liveQueryFor(wanted)).toEqual({
    definitions: [pii],
    plain: {
      urns: [clicks, bare, chart],
      facets: new Map([
        ["Dataset", new Set(["tags"])],
        ["Chart", new Set(["owners"])],
      ]),
    },
    more: { urns: [orders], facets: new Map([["Dataset", new Set(["tags", "columns.tags"])]]) },
  });
});

test("each facet that is only read where it is declared costs much", () => {
  const costly = facetsOf("Dataset").filter((facet) =>
    declaresMore(entityOf("Dataset", orders, { [facet.name]: columns })),
  );
  expect(costly.map(({ name }) => name)).toContain("links");
  expect(costly).toEqual(facetsOf("Dataset").filter((facet) => facet.readWhenDeclared));
});

test("of the declared columns entities are asked for beside their assets where the server has them", () => {
  const beside = (fields: ReadonlySet<string> | undefined): readonly unknown[] =>
    questionsFor(wanted, liveQueryFor(wanted), fields).map(
      (question) => question.requestFor(question.urns).variables["beside"],
    );
  expect(beside(new Set(["SchemaFieldEntity.tags"]))).toEqual([
    undefined,
    undefined,
    [`urn:li:schemaField:(${orders},id)`],
  ]);
  expect(beside(new Set())).toEqual([undefined, undefined, undefined]);
  expect(beside(undefined)).toEqual([undefined, undefined, undefined]);
});

test("assets without such columns are asked for without anything beside them", () => {
  const [, , more] = questionsFor(wanted, liveQueryFor(wanted), new Set(["SchemaFieldEntity.tags"]));
  expect(more?.requestFor([clicks])).toEqual(more?.alone?.requestFor([clicks]));
  expect(more?.requestFor([orders]).document).not.toBe(more?.requestFor([clicks]).document);
});
