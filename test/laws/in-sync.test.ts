import fc from "fast-check";
import { expect } from "vitest";
import { joined } from "../../src/model/place.ts";
import type { Entity, FacetValue, ScalarValue, SetValue } from "../../src/model/state.ts";
import { fileOf, packer, urnOf } from "../../src/model/packed-declarations.ts";
import { isDefinitionKind } from "../../src/kinds/index.ts";
import { lawsOf } from "./law.ts";
import { planOfPart } from "./parts.ts";
import { planOf, planOfShard, filteredPlanOf, worldsInPart } from "./worlds.ts";

const law = lawsOf(
  fc
    .record({ drawn: worldsInPart, prunes: fc.boolean(), batch: fc.integer({ min: 1, max: 5 }) })
    .map(({ drawn: [world, selected], prunes, batch }) => ({
      world: prunes ? { ...world, pruneAssignments: true } : world,
      selected,
      batch,
    })),
  32,
);

law(
  "a plan is the same whether assets are dropped as soon as they are in sync or not",
  ({ world, batch }) => {
    expect(filteredPlanOf(world, batch)).toEqual(planOf(world));
  },
);

law("so is the plan of a part", ({ world, selected, batch }) => {
  expect(planOfPart(world, selected, batch)).toEqual(planOfPart(world, selected));
});

law("so is the plan of a shard", ({ world, batch }) => {
  for (const index of [1, 2]) {
    const shard = { index, of: 2 };
    expect(planOfShard(world, shard, batch)).toEqual(planOfShard(world, shard));
  }
});

law("what is declared of an asset is the same when it was kept as numbers", ({ world }) => {
  for (const drawn of world.desired.state.values()) {
    const entity = inOneFile(drawn);
    const origin = { file: "a.yaml", line: 7, column: 3 };
    const about = { from: entity.urn, facet: "tags", origin };
    const references = [
      { urn: drawn.urn, entityType: "tag", ...about },
      { urn: drawn.urn, entityType: "domain", ...about, path: ["c", "d"] },
    ];
    const declaration = { entity, references, inline: false };
    const packed = packer((kind) => !isDefinitionKind(kind))(declaration);
    const unpacked = { entity: packed.entity, references: packed.references, inline: packed.inline };
    expect(unpacked).toEqual(declaration);
    expect([urnOf(packed), fileOf(packed)]).toEqual([entity.urn, "a.yaml"]);
    expect(packed !== declaration).toBe(!isDefinitionKind(entity.kind));
  }
});

function inOneFile({ urn, kind, facets }: Entity): Entity {
  let line = 1;
  const placed = (part: ScalarValue | SetValue): ScalarValue | SetValue => {
    line += 1;
    const { shape } = part;
    const origin = { file: "a.yaml", line, column: 5 };
    return shape === "set" ? { shape, members: part.members, origin } : { shape, value: part.value, origin };
  };
  const own = [...facets].map(([name, value]): [string, FacetValue] => {
    return [name, joined(undefined, value, (_, part) => placed(part))];
  });
  return { urn, kind, facets: new Map(own), origin: { file: "a.yaml", line: 1, column: 1 } };
}
