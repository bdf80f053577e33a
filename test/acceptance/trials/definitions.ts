import { facetsOf } from "../../../src/facets/index.ts";
import type { Facet } from "../../../src/facets/facet.ts";
import { definitionKinds } from "../../../src/kinds/index.ts";
import type { Kind } from "../../../src/kinds/kind.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import { expectEqual } from "../expect-equal.ts";
import { facetRow, kindRow } from "../required.ts";
import { textOfRound } from "../texts.ts";
import type { Trial, Trying } from "../trial.ts";
import type { Applied } from "../workspace.ts";

const fieldsOf = (kind: Kind): readonly Facet[] =>
  facetsOf(kind.name).filter(({ name }) => kind.storage[name] !== undefined);

const fieldRows = definitionKinds.flatMap((kind) => fieldsOf(kind).map(({ name }) => facetRow(kind, name)));
const having = (name: string): readonly Kind[] =>
  definitionKinds.filter((kind) => facetsOf(kind.name).some((facet) => facet.name === name));
const initialAspects = definitionKinds.flatMap((kind) => Object.keys(kind.initial("")));
const keptIn = definitionKinds.flatMap(({ storage }) => Object.values(storage).map(([aspect]) => aspect));
const aspects = [...new Set([...initialAspects, ...keptIn])];
const restored = having("removed");
const completed = having("incomplete");

/** Every field of every definition is set, changed and unset; then definitions are restored, completed and deleted. */
export const definitions: Trial = {
  name: "definitions",
  tries: [
    ...definitionKinds.map(kindRow),
    ...new Set(definitionKinds.flatMap(({ deletion }) => deletion?.mutation ?? [])),
    ...fieldRows,
    ...aspects.map((aspect) => `ingestProposal ${aspect}`),
    ...(restored.length > 0 ? ["ingestProposal status"] : []),
    ...restored.map((kind) => facetRow(kind, "removed")),
    ...completed.map((kind) => facetRow(kind, "incomplete")),
  ],
  run: async (trying) => {
    trying.settings({ prune: { kinds: definitionKinds.map(({ name }) => name) } });
    for (const round of [0, 1, "none"] as const) {
      trying.declare({
        "others.yaml": othersOf(trying),
        "main.yaml": definitionKinds.map((kind) => documentOf(kind, round, trying)),
      });
      const applied = await trying.apply();
      await checkRound(round, applied, trying);
      trying.goOn(applied);
    }
    await restore(trying);
    await complete(trying);
    await prune(trying);
  },
};

type Round = 0 | 1 | "none";

/** What the values of `main` refer to. */
function othersOf({ id, urn }: Trying): readonly JsonObject[] {
  return definitionKinds.flatMap((kind) =>
    [0, 1].map((round) => {
      urn(kind.entityType, `other-${round}`);
      return { kind: kind.name, id: id(`other-${round}`) };
    }),
  );
}

/** Values of fields that are not any text: one for each of two rounds. */
const samples: Readonly<Record<string, readonly [Json, Json]>> = {
  color_hex: ["#112233", "#445566"],
  department_id: [4711, 12],
  country_code: ["CH", "DE"],
  version: ["20270101000000", "20280101000000"],
  email: ["first@example.com", "second@example.com"],
  // Newer servers look the host up, and refuse those of private networks.
  picture_link: ["https://8.8.8.8/first.png", "https://8.8.8.8/second.png"],
};

function valueOf({ name, schema, refersTo: [type] }: Facet, round: 0 | 1, { id, urn }: Trying): Json {
  const other = `other-${round}`;
  if (type !== undefined) return round === 0 ? id(other) : urn(type, other);
  const { enum: choices } = schema ?? {};
  if (Array.isArray(choices)) return choices[round] ?? null;
  return samples[name]?.[round] ?? textOfRound(round, name);
}

function documentOf(kind: Kind, round: Round, trying: Trying): JsonObject {
  trying.urn(kind.entityType, "main");
  const values = fieldsOf(kind).map((facet): [string, Json] => {
    if (round !== "none") return [facet.name, valueOf(facet, round, trying)];
    return [facet.name, facet.isRequired ? valueOf(facet, 1, trying) : "none"];
  });
  return { kind: kind.name, id: trying.id("main"), ...Object.fromEntries(values) };
}

async function checkRound(round: Round, applied: Applied, trying: Trying): Promise<void> {
  for (const kind of definitionKinds) {
    const stored = await trying.stored.aspects(trying.urn(kind.entityType, "main"));
    for (const facet of fieldsOf(kind)) {
      const row = facetRow(kind, facet.name);
      const check = async (): Promise<void> => expectField(row, kind, facet, { round, stored, trying });
      await trying.check(row, check, applied);
      const sent = applied.outcomes.some(({ urn }) => urn === trying.urn(kind.entityType, "main"));
      if (sent) await trying.operation(`ingestProposal ${kind.storage[facet.name]?.[0]}`, applied, check);
    }
    if (round === 0) await checkInitial(kind, applied, stored, trying);
  }
}

function expectField(
  row: string,
  kind: Kind,
  facet: Facet,
  { round, stored, trying }: { round: Round; stored: Readonly<Record<string, JsonObject>>; trying: Trying },
): void {
  const [aspect = "", field = "", unset = null] = kind.storage[facet.name] ?? [];
  const found = stored[aspect]?.[field] ?? null;
  const [type] = facet.refersTo;
  const last = round === "none" ? 1 : round;
  const value = type === undefined ? valueOf(facet, last, trying) : trying.urn(type, `other-${last}`);
  expectEqual(row, found, round === "none" && !facet.isRequired ? unset : value);
}

/** A new entity has what its aspects require. */
async function checkInitial(
  kind: Kind,
  applied: Applied,
  stored: Readonly<Record<string, JsonObject>>,
  trying: Trying,
): Promise<void> {
  const declared = new Set(Object.values(kind.storage).map(([aspect, field]) => `${aspect}.${field}`));
  for (const [aspect, initial] of Object.entries(kind.initial(trying.id("main")))) {
    await trying.operation(`ingestProposal ${aspect}`, applied, async () => {
      for (const [field, value = null] of Object.entries(initial)) {
        if (declared.has(`${aspect}.${field}`)) continue;
        // A server may leave an empty list out.
        expectEqual(`${aspect}.${field} of a new ${kind.name}`, stored[aspect]?.[field] ?? [], value);
      }
    });
  }
}

/** What is soft-deleted and declared comes back. */
async function restore(trying: Trying): Promise<void> {
  const mains = restored.map((kind) => ({ kind, urn: trying.urn(kind.entityType, "main") }));
  for (const { urn } of mains) await trying.stored.propose(urn, "status", { removed: true });
  const applied = await trying.apply();
  for (const { kind, urn } of mains) {
    const check = async (): Promise<void> => {
      const { status } = await trying.stored.aspects(urn);
      expectEqual(`whether the ${kind.name} is soft-deleted`, status?.["removed"], false);
    };
    await trying.check(facetRow(kind, "removed"), check, applied);
    await trying.operation("ingestProposal status", applied, check);
  }
  trying.goOn(applied);
}

/** What an interrupted creation left out is written. */
async function complete(trying: Trying): Promise<void> {
  for (const kind of completed) {
    const [first, ...later] = Object.entries(kind.initial(""));
    if (!first) throw new Error(`nothing of a new ${kind.name} can be left out`);
    const half = trying.urn(kind.entityType, "half");
    await trying.stored.propose(half, ...first);
    trying.declare({ "half.yaml": [{ kind: kind.name, id: trying.id("half") }] });
    const applied = await trying.apply();
    await trying.check(
      facetRow(kind, "incomplete"),
      async () => {
        const stored = await trying.stored.aspects(half);
        for (const [aspect] of later) expectEqual(`${aspect} is there`, stored[aspect] !== undefined, true);
      },
      applied,
    );
    trying.goOn(applied);
  }
}

/** What was declared before and is not any more is deleted. */
async function prune(trying: Trying): Promise<void> {
  trying.declare({ "main.yaml": undefined });
  const applied = await trying.apply("--prune");
  for (const kind of definitionKinds) {
    const isSoft = kind.deletion?.mutation === undefined;
    const check = async (): Promise<void> => {
      const urn = trying.urn(kind.entityType, "main");
      const left = await trying.stored.aspects(urn);
      if (isSoft) expectEqual(`whether ${urn} is removed`, left["status"], { removed: true });
      else expectEqual(`what is left of ${urn}`, Object.keys(left), []);
    };
    await trying.operation(kind.deletion?.mutation ?? "ingestProposal status", applied, check);
    await trying.check(kindRow(kind), check, applied);
  }
  trying.goOn(applied);
}
