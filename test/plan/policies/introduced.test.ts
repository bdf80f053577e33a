import { expect, test } from "vitest";
import type { CatalogPolicy, Judged, Policies } from "../../../src/model/catalog-policy.ts";
import { scalarOf } from "../../../src/model/state.ts";
import {
  policyJudge,
  type PolicyResult,
  type SubjectPair,
} from "../../../src/plan/policies/judge-policies.ts";
import type { People, Subject } from "../../../src/plan/policies/subject.ts";
import { where } from "../../support/assets.ts";
import { datasetNamed } from "../../support/states.ts";
import { addTo, byKeys, owners, peopleOf, policyOf, subjectOf, waiverOf } from "./subjects.ts";

const day = "2026-11-28";
const [has, lacks] = ["urn:li:domain:a", null].map((value) => (name: string): Subject => {
  return subjectOf({ domain: scalarOf(value) }, { name, urn: datasetNamed(name) });
}) as [(name: string) => Subject, (name: string) => Subject];
const unknown = (name: string): Subject => subjectOf({}, { name, urn: datasetNamed(name) });
const needsDomain = policyOf("p", { requirements: [{ facet: "domain", present: true }] });
const reasons = ["has no domain"];
const at = (name: string): Judged => ({ urn: datasetNamed(name) });

/** What the first policy comes to. */
function resultOf(
  now: Partial<Policies>,
  pairs: readonly SubjectPair[],
  more: Partial<Parameters<typeof policyJudge>[1]> = {},
): PolicyResult | undefined {
  const judge = policyJudge({ policies: [needsDomain], waivers: [], ...now }, { day, ...more });
  for (const pair of pairs) addTo(judge, pair, { live: new Map(), planned: new Map() });
  return judge.results()[0];
}

const nothing = { passes: 0, introduced: [], fixed: [], existing: [], waived: [], unknown: [] };

test("each violation is introduced, fixed, existing, waived or unknown, and all are in order", () => {
  const pairs = ["b", "a"].flatMap((each): readonly SubjectPair[] => [
    { live: has(`${each}1`), planned: lacks(`${each}1`) },
    { planned: lacks(`${each}2`) },
    { live: lacks(`${each}3`), planned: has(`${each}3`) },
    { live: lacks(`${each}4`) },
    { live: lacks(`${each}5`), planned: lacks(`${each}5`) },
    { live: unknown(`${each}6`), planned: lacks(`${each}6`) },
    { live: has(`${each}7`), planned: unknown(`${each}7`) },
    { live: lacks(`${each}8`), planned: unknown(`${each}8`) },
    { live: has(`${each}9`), planned: lacks(`${each}9`) },
  ]);
  const waiver = waiverOf("p", { conditions: [where("name", "*9")] });
  const notRead = ["domain could not be read"];
  const each = <T>(numbers: readonly number[], more: T): readonly (Judged & T)[] =>
    ["a", "b"].flatMap((name) => numbers.map((number) => ({ ...at(`${name}${number}`), ...more })));
  expect(resultOf({ waivers: [waiver] }, pairs)).toEqual({
    policy: needsDomain,
    passes: 2,
    introduced: each([1, 2], { reasons }),
    fixed: each([3, 4], {}),
    existing: each([5], { reasons }),
    waived: each([9], { reasons, waiver }),
    unknown: each([6, 7, 8], { reasons: notRead }),
  });
});

test("what is introduced has the place of the change that causes it", () => {
  const source = { file: "catalog/a.yaml", line: 3, column: 5 };
  const sourceOf = ({ id }: CatalogPolicy, { urn }: Judged): typeof source | undefined =>
    id === "p" && urn === datasetNamed("a") ? source : undefined;
  const pairs = ["a", "b"].map((name) => ({ live: has(name), planned: lacks(name) }));
  expect(resultOf({}, pairs, { sourceOf })?.introduced).toEqual([
    { ...at("a"), reasons, source },
    { ...at("b"), reasons },
  ]);
});

test("what violates the policy of base, and passes that at hand, is fixed", () => {
  const base = { policies: [policyOf("o"), needsDomain], waivers: [] };
  const pair = { live: lacks("a"), planned: lacks("a") };
  expect(resultOf({ policies: [policyOf("p")] }, [pair], { base })).toEqual({
    ...nothing,
    policy: policyOf("p"),
    passes: 1,
    fixed: [at("a")],
  });
  const none = { ...base, policies: [{ ...needsDomain, id: "o" }] };
  expect(resultOf({ policies: [policyOf("p")] }, [pair], { base: none })?.fixed).toEqual([]);
});

test("of base its waivers decide, and no waiver of the policies at hand", () => {
  const pair = { live: lacks("a"), planned: has("a") };
  const fixedBy = (now: Partial<Policies>, before: Partial<Policies>): unknown =>
    resultOf(now, [pair], { base: { policies: [needsDomain], waivers: [], ...before } })?.fixed;
  const waivers = [waiverOf("p")];
  expect(fixedBy({ waivers }, {})).toEqual([at("a")]);
  expect(fixedBy({ waivers }, { waivers })).toEqual([]);
});

test("columns are judged each by itself", () => {
  const requirements = [{ facet: "columns.description", present: true }];
  const policy = policyOf("p", { columns: { conditions: [], exclusions: [], requirements } });
  const table = (...described: readonly string[]): Subject => {
    const leaves = described.map((path) => [[path], scalarOf("x")] as const);
    return subjectOf({ "columns.description": byKeys(...leaves) }, { paths: ["z", "y", "x"] });
  };
  const pair = { live: table("z", "y"), planned: table("x") };
  const [{ urn }, said] = [pair.live.asset, ["has no description"]];
  expect(resultOf({ policies: [policy] }, [pair])).toEqual({
    ...nothing,
    policy,
    passes: 1,
    introduced: [
      { urn, column: "y", reasons: said },
      { urn, column: "z", reasons: said },
    ],
    fixed: [{ urn, column: "x" }],
  });
});

test("an entity that changes is judged again, though people stay the same", () => {
  const judge = policyJudge({ policies: [needsDomain], waivers: [] }, { day });
  const people: People = new Map();
  addTo(judge, { live: has("a"), planned: lacks("a") }, { live: people, planned: people });
  expect(judge.results()[0]?.introduced).toEqual([{ ...at("a"), reasons }]);
});

test("an entity that stays the same is judged by people as they will be", () => {
  const requirements = [{ facet: "owners", active: true }] as const;
  const judge = policyJudge({ policies: [policyOf("p", { requirements })], waivers: [] }, { day });
  const subject = subjectOf({ owners: owners(["corpuser:ann", "DATA_STEWARD"]) });
  const [active, gone]: readonly [People, People] = [
    peopleOf({ "corpuser:ann": true }),
    peopleOf({ "corpuser:ann": false }),
  ];
  addTo(judge, { live: subject, planned: subject }, { live: active, planned: gone });
  addTo(judge, { live: subject, planned: subject }, { live: active, planned: active });
  const [result] = judge.results();
  expect([result?.passes, result?.introduced.length]).toEqual([1, 1]);
});

test("results are in the order of the ids of their policies", () => {
  const policies = ["b", "a", "c"].map((id) => policyOf(id));
  const judge = policyJudge({ policies, waivers: [] }, { day });
  expect(judge.results().map(({ policy }) => policy.id)).toEqual(["a", "b", "c"]);
});
