import { describe, expect, test } from "vitest";
import type { CatalogPolicy, PolicyCondition, Waiver } from "../../../src/model/catalog-policy.ts";
import { scalarOf, setOf } from "../../../src/model/state.ts";
import type { People, Subject } from "../../../src/plan/policies/subject.ts";
import { judgeOf, type Verdict } from "../../../src/plan/policies/verdicts.ts";
import { where } from "../../support/assets.ts";
import { byKeys, owners, peopleOf, policyOf, subjectOf, tags, unread, waiverOf } from "./subjects.ts";

const day = "2026-11-28";
const table = subjectOf(
  { domain: scalarOf(null), tags: tags("pii") },
  { name: "prod.orders", containers: [], paths: ["id", "email"] },
);
const needsDomain = { requirements: [{ facet: "domain", present: true }] } as const;

interface Asked {
  readonly subject?: Subject;
  readonly people?: People;
  readonly waivers?: readonly Waiver[];
}

/** What a policy says, without the URN. */
function saidOf(
  policy: Partial<CatalogPolicy>,
  { subject = table, people = new Map(), waivers = [] }: Asked = {},
): readonly Omit<Verdict, "urn">[] {
  const verdicts = judgeOf(policyOf("p", policy), waivers, day)(subject, people);
  expect(new Set(verdicts.map(({ urn }) => urn)).size).toBeLessThanOrEqual(1);
  return verdicts.map(({ urn: _, ...said }) => said);
}

const violates = { status: "violates", reasons: ["has no domain"] } as const;
const unmatched = {
  status: "unknown",
  reasons: ["a field that the policy's `match` uses could not be read"],
} as const;

test("a verdict names the entity, and passes where all is true", () => {
  const judge = judgeOf(policyOf("p"), [], day);
  expect(judge(table, new Map())).toEqual([{ urn: table.asset.urn, status: "passes", reasons: [] }]);
});

describe("which entities a policy is about", () => {
  const at = (key: string, pattern: string, ...path: readonly string[]): PolicyCondition => ({
    ...where(key, pattern),
    ...(path.length > 0 && { path }),
  });

  test.each<readonly [string, Partial<CatalogPolicy>, boolean]>([
    ["of another kind", { kind: "Chart" }, false],
    ["with such a name", { conditions: [at("name", "prod.*")] }, true],
    ["with another name", { conditions: [at("name", "dev.*")] }, false],
    ["with such a URN", { conditions: [at("urn", "*snowflake*")] }, true],
    ["with another URN", { conditions: [at("urn", "*hive*")] }, false],
    ["with such a tag", { conditions: [at("tags", "pii")] }, true],
    ["with another tag", { conditions: [at("tags", "old")] }, false],
    ["without a value", { conditions: [at("domain", "*")] }, false],
    ["with a tag of a column", { conditions: [at("columns.tags", "*", "id")] }, false],
    ["that meet one condition of two", { conditions: [at("tags", "pii"), at("env", "DEV")] }, false],
    ["that are excluded", { exclusions: [[at("env", "PROD"), at("tags", "pii")]] }, false],
    ["that meet one condition of an exclusion", { exclusions: [[at("env", "PROD"), at("tags", "a")]] }, true],
  ])("%s", (_, policy, isAbout) => {
    const subject = { ...table, facets: new Map([...table.facets, ["columns.tags", byKeys()] as const]) };
    expect(saidOf({ ...needsDomain, ...policy }, { subject })).toEqual(isAbout ? [violates] : []);
  });

  test("is unknown where what they are matched by could not be read, and not by their URN", () => {
    const subject = unread(table);
    const said = (key: string): unknown => saidOf({ conditions: [where(key, "*")] }, { subject });
    expect(said("name")).toEqual([unmatched]);
    expect(said("tags")).toEqual([unmatched]);
    expect(said("urn")).toEqual([{ status: "passes", reasons: [] }]);
  });
});

test("what could not be read is unknown, and a requirement that is not met violates all the same", () => {
  const unknown = { facet: "owners", present: true } as const;
  const notRead = { status: "unknown", reasons: ["owners could not be read"] };
  expect(saidOf({ requirements: [unknown] })).toEqual([notRead]);
  expect(saidOf({ requirements: [unknown, ...needsDomain.requirements] })).toEqual([violates]);
});

describe("policies of columns", () => {
  const subject: Subject = {
    ...table,
    facets: new Map([...table.facets, ["columns.tags", byKeys([["email"], setOf(["urn:li:tag:pii"])])]]),
  };
  const columns = (...conditions: readonly PolicyCondition[]): Partial<CatalogPolicy> => ({
    columns: { conditions, exclusions: [], requirements: [{ facet: "columns.tags", anyOf: ["pii"] }] },
  });
  const id = { column: "id", status: "violates", reasons: ["has no value in tags that matches pii"] };
  const email = { column: "email", status: "passes", reasons: [] };

  test.each<readonly [string, readonly PolicyCondition[], readonly object[]]>([
    ["each column", [], [id, email]],
    ["those with a name", [where("name", "*mail")], [email]],
    ["those of a type", [where("type", "VARCHAR(*")], [id, email]],
    ["none of another type", [where("type", "INT")], []],
    ["those with a tag", [where("columns.tags", "pii")], [email]],
  ])("say something of %s", (_, conditions, said) => {
    expect(saidOf(columns(...conditions), { subject })).toEqual(said);
  });

  test("say nothing of a table without columns, and one unknown thing of one that could not be read", () => {
    const { columns: _, ...asset } = table.asset;
    expect(saidOf(columns(), { subject: { ...subject, asset } })).toEqual([]);
    expect(saidOf(columns(), { subject: unread(table) })).toEqual([unmatched]);
  });

  test("are unknown where it is not known which columns match", () => {
    const unknown = (column: string): object => ({ column, ...unmatched });
    const said = saidOf(columns(where("columns.description", "x")), { subject });
    expect(said).toEqual([unknown("id"), unknown("email")]);
  });

  test("match a column by its path and its plain name, and one without a type by no type", () => {
    const path = "[version=2.0].[type=struct].address";
    const asset = { ...table.asset, columns: [{ path, name: "address" }] };
    const columnsOf = (...conditions: readonly PolicyCondition[]): unknown =>
      saidOf(columns(...conditions), { subject: { ...subject, asset } }).map(({ column }) => column);
    expect(columnsOf(where("name", "address"))).toEqual([path]);
    expect(columnsOf(where("name", "*type=struct*"))).toEqual([path]);
    expect(columnsOf(where("type", "*"))).toEqual([]);
  });
});

describe("messages", () => {
  test.each([
    ["{name} in {env} on {platform}: {kind}", ["prod.orders in PROD on snowflake: Dataset"]],
    ["{column}{nothing} {NAME}", ["{nothing} {NAME}"]],
    ["{urn}", [table.asset.urn]],
  ])("%s", (message, reasons) => {
    expect(saidOf({ ...needsDomain, message })).toEqual([{ status: "violates", reasons }]);
  });

  test("of columns name the column, and entities without a name are called by their id", () => {
    const requirements = [{ facet: "columns.tags", present: true }];
    const columns = { conditions: [], exclusions: [], requirements };
    const { name: _name, platform: _platform, env: _env, ...asset } = table.asset;
    const facets = new Map([["columns.tags", byKeys()]]);
    const subject = { ...table, asset, facets };
    const [said] = saidOf({ columns, message: "{column} of {name}{platform}{env}" }, { subject });
    expect(said?.reasons).toEqual([`id of ${table.asset.urn}`]);
  });

  test("do not stand in the place of what could not be read", () => {
    const said = saidOf({ requirements: [{ facet: "owners", present: true }], message: "Add an owner." });
    expect(said[0]?.reasons).toEqual(["owners could not be read"]);
  });
});

describe("waivers", () => {
  const waiver = waiverOf("p", { expires: day });
  const expired = waiverOf("p", { expires: "2026-11-27" });
  const unreadable = waiverOf("p", { conditions: [where("owners", "*")] });
  const elsewhere = { conditions: [where("name", "dev.*")] };
  const ended = "its waiver (catalog/waivers.yaml:2:3) expired on 2026-11-27";

  test.each<readonly [string, readonly Waiver[], Omit<Verdict, "urn">]>([
    ["on their last day", [waiver], { ...violates, status: "waived", waiver }],
    ["beside others", [unreadable, waiver], { ...violates, status: "waived", waiver }],
    ["not from the next day on", [expired], { ...violates, reasons: ["has no domain", ended] }],
    ["not of other policies", [waiverOf("q")], violates],
    [
      "not where they do not match",
      [
        { ...waiver, ...elsewhere },
        { ...expired, ...elsewhere },
      ],
      violates,
    ],
    [
      "perhaps, where that could not be read",
      [unreadable],
      { status: "unknown", reasons: ["a field that a waiver's `match` uses could not be read"] },
    ],
    [
      "not once they expired, whatever could not be read",
      [{ ...unreadable, expires: expired.expires }],
      violates,
    ],
  ])("leave violations out %s", (_, waivers, said) => {
    expect(saidOf(needsDomain, { waivers })).toEqual([said]);
  });

  test("say nothing of what passes", () => {
    expect(saidOf({}, { waivers: [waiver] })).toEqual([{ status: "passes", reasons: [] }]);
  });
});

describe("checks", () => {
  const owned = subjectOf({ tags: tags("pii"), owners: owners(["corpuser:ann", "DATA_STEWARD"]) });
  const people = peopleOf({ "corpuser:ann": false });

  test.each<readonly [string, Omit<Verdict, "urn">]>([
    ["'pii' in asset.tags", { status: "passes", reasons: [] }],
    [
      " 'old' in asset.tags\n",
      { status: "violates", reasons: ["the check is false: 'old' in asset.tags"], found: "tags: pii" },
    ],
    ["asset.domain == ''", { status: "unknown", reasons: ["domain could not be read"] }],
    ["1 / 0 == 1", { status: "unknown", reasons: ["the expression failed: division by zero"] }],
    ["asset.owners.exists(o, o.id == 'ann')", { status: "passes", reasons: [] }],
    ["asset.owners.exists(o, !o.active)", { status: "unknown", reasons: ["an owner could not be read"] }],
  ])("%s", (check, said) => {
    expect(saidOf({ check }, { subject: owned })).toEqual([said]);
  });

  test("are unknown where one owner of several could not be read", () => {
    const two = owners(["corpuser:ann", "DATA_STEWARD"], ["corpuser:bob", "DATA_STEWARD"]);
    const subject = subjectOf({ owners: two });
    const [said] = saidOf({ check: "asset.owners.exists(o, !o.active)" }, { subject, people });
    expect(said?.reasons).toEqual(["an owner could not be read"]);
  });

  test("know owners who were read", () => {
    expect(saidOf({ check: "asset.owners.exists(o, !o.active)" }, { subject: owned, people })).toEqual([
      { status: "passes", reasons: [] },
    ]);
  });

  test("are unknown of an entity that could not be read", () => {
    expect(saidOf({ check: "asset.name != ''" }, { subject: unread(owned) })).toEqual([
      { status: "unknown", reasons: ["the entity could not be read"] },
    ]);
  });

  test("stand beside requirements", () => {
    const [said] = saidOf({ ...needsDomain, check: "'old' in asset.tags" });
    expect(said?.reasons).toEqual(["has no domain", "the check is false: 'old' in asset.tags"]);
  });
});
