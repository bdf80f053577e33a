import { edgeSets, type EdgeSet, facetNamed } from "../../../src/facets/index.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import { setOf } from "../../../src/model/state.ts";
import { makeAsset } from "../made-assets.ts";
import { expectSet } from "../expect-equal.ts";
import { anyVersionRow, facetRow } from "../required.ts";
import type { Trial, Trying } from "../trial.ts";

/** The edges that groups store. */
const sets = edgeSets.filter(({ storedByMembers }) => !storedByMembers);

const aspectOf = ({ facet, kind }: EdgeSet): string =>
  facetNamed(facet).set?.editing?.aspect(kind.name) ?? "";

/** Members are put into groups that store them, and taken out, declared from either end. */
export const edgesTrial: Trial = {
  name: "edges",
  tries: sets.flatMap((edges) => [
    facetRow(edges.kind, edges.facet),
    ...edges.inverseKinds.map((kind) => facetRow(kind, edges.inverse)),
    anyVersionRow(`ingestProposal ${aspectOf(edges)}`),
  ]),
  run: async (trying) => {
    for (const edges of sets) await tryEdges(edges, trying);
  },
};

async function tryEdges(edges: EdgeSet, trying: Trying): Promise<void> {
  const { kind, facet, inverse, inverseKinds } = edges;
  const [own, others] = ["listing", "listed"].map((name) => trying.urn(kind.entityType, name)) as [
    string,
    string,
  ];
  const [first] = inverseKinds;
  if (!first) return;
  const listed = await makeAsset(trying, first, "listed");
  const members: string[] = [];
  for (const each of inverseKinds) members.push(await makeAsset(trying, each, "member"));
  for (const isIn of [true, false]) {
    trying.settings({ writes: "conditional", manage: { [inverse]: "merge" } });
    trying.declare({
      "all.yaml": [
        { kind: kind.name, id: trying.id("listing"), [facet]: isIn ? [listed] : [] },
        { kind: kind.name, id: trying.id("listed") },
        ...inverseKinds.map((each, index) => ({
          kind: each.name,
          urn: members[index] ?? "",
          [inverse]: isIn ? [others] : [],
        })),
      ],
    });
    const applied = await trying.apply();
    const ofOwn = async (): Promise<void> =>
      expectSet("members that the group lists", await membersOf(edges, own, trying), isIn ? [listed] : []);
    const ofOthers = async (): Promise<void> =>
      expectSet("members that list the group", await membersOf(edges, others, trying), isIn ? members : []);
    await trying.check(facetRow(kind, facet), ofOwn, applied);
    for (const each of inverseKinds) await trying.check(facetRow(each, inverse), ofOthers, applied);
    if (!isIn) await trying.operation(anyVersionRow(`ingestProposal ${aspectOf(edges)}`), applied, ofOthers);
    trying.goOn(applied);
  }
}

async function membersOf(
  { facet, kind }: EdgeSet,
  urn: string,
  { stored }: Trying,
): Promise<readonly string[]> {
  const aspects = await stored.aspects(urn);
  const { value } = facetNamed(facet).observe(aspects, kindOf(kind.name).name);
  return (value.shape === "set" ? value : setOf([])).members.map(String);
}
