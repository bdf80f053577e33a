import { isDefinitionKind } from "../../kinds/index.ts";
import type { Origin } from "../../model/origin.ts";
import type { DeclaredReference } from "../../model/reference.ts";
import type { Entity, FacetValue, Leaf, Member, Scalar } from "../../model/state.ts";
import type { Urn } from "../../model/urn.ts";
import type { Declaration } from "../declaration.ts";
import { type NumberCursor, numberList } from "./number-list.ts";

/** Whether numbers say all of it: one file, no modes, no rules, nothing of history. */
export function isPackable({ entity, inline, references, exempt }: Declaration): boolean {
  const { kind, manage, origin, facets } = entity;
  if (inline || isDefinitionKind(kind) || manage || exempt || !origin) return false;
  for (const value of facets.values()) {
    if (!isPlain(value, origin.file)) return false;
  }
  return references.every((each) => each.from === entity.urn && each.origin.file === origin.file);
}

function isPlain(value: FacetValue, file: string): boolean {
  if (value.shape === "map") {
    for (const below of value.entries.values()) if (!isPlain(below, file)) return false;
    return true;
  }
  return isPlainLeaf(value, file);
}

function isPlainLeaf(part: Leaf, file: string): boolean {
  return part.origin?.file === file && part.mode === undefined && !("since" in part) && !part.isPruned;
}

/** A declaration as numbers: where those of the entity begin, and those of what it refers to. */
export interface Packed {
  readonly urn: Urn;
  readonly start: number;
  readonly references: number;
}

/** Keeps declarations as numbers. */
export interface Packing {
  pack(declaration: Declaration): Packed;
  entity(packed: Packed): Entity;
  /** The file that it is in. */
  file(packed: Packed): string;
  unpacked(packed: Packed): Declaration;
}

const [asScalar, asSet, asMap] = [0, 1, 2];

/** Nothing is kept yet. */
export function packing(): Packing {
  const names = naming();
  const numbers = numberList();
  const entity = ({ urn, start }: Packed): Entity => readEntity(numbers.from(start), names, urn);
  return {
    pack: (declaration) => {
      const { urn } = declaration.entity;
      const start = numbers.append(entityNumbers(declaration, names));
      return { urn, start, references: numbers.append(referenceNumbers(declaration, names)) };
    },
    entity,
    file: ({ references }) => names.values[numbers.from(references).next()] as string,
    unpacked: (packed) => ({
      get entity() {
        return entity(packed);
      },
      get references() {
        return readReferences(numbers.from(packed.references), names, packed.urn);
      },
      inline: false,
    }),
  };
}

type Named = Scalar | Member;

/** Names values with numbers: each text once, and each object once. */
interface Naming {
  readonly values: readonly Named[];
  readonly numberOf: (value: Named) => number;
}

function naming(): Naming {
  const values: Named[] = [];
  const numbers = new Map<Named, number>();
  const numberOf = (named: Named): number => {
    const known = numbers.get(named);
    if (known !== undefined) return known;
    numbers.set(named, values.length);
    return values.push(named) - 1;
  };
  return { values, numberOf };
}

function entityNumbers({ entity }: Declaration, { numberOf }: Naming): readonly number[] {
  const { kind, origin, facets } = entity;
  const { file = "", line = 0, column = 0 } = origin ?? {};
  const to = [numberOf(kind), numberOf(file), line, column, facets.size];
  for (const [name, value] of facets) {
    to.push(numberOf(name));
    putValue(value, numberOf, to);
  }
  return to;
}

function putValue(value: FacetValue, numberOf: Naming["numberOf"], to: number[]): void {
  if (value.shape === "map") {
    to.push(asMap, value.entries.size);
    for (const [key, below] of value.entries) {
      to.push(numberOf(key));
      putValue(below, numberOf, to);
    }
    return;
  }
  if (value.shape === "set") {
    to.push(asSet, value.members.length);
    for (const member of value.members) to.push(numberOf(member));
  } else {
    to.push(asScalar, numberOf(value.value));
  }
  to.push(value.origin?.line ?? 0, value.origin?.column ?? 0);
}

function referenceNumbers({ entity, references }: Declaration, { numberOf }: Naming): readonly number[] {
  const to = [numberOf(entity.origin?.file ?? ""), references.length];
  for (const { urn, entityType, facet, path = [], origin } of references) {
    to.push(numberOf(urn), numberOf(entityType), numberOf(facet), origin.line, origin.column, path.length);
    for (const key of path) to.push(numberOf(key));
  }
  return to;
}

// What was written as a text, a member or a single value is read as one.
function readEntity(from: NumberCursor, names: Naming, urn: Urn): Entity {
  const { values } = names;
  const kind = values[from.next()] as string;
  const file = values[from.next()] as string;
  const origin = { file, line: from.next(), column: from.next() };
  const facets = new Map<string, FacetValue>();
  for (let left = from.next(); left > 0; left -= 1) {
    facets.set(values[from.next()] as string, readValue(from, values, file));
  }
  return { urn, kind, facets, origin };
}

function readValue(from: NumberCursor, values: readonly Named[], file: string): FacetValue {
  const shape = from.next();
  if (shape === asMap) {
    const entries = new Map<string, FacetValue>();
    for (let left = from.next(); left > 0; left -= 1) {
      entries.set(values[from.next()] as string, readValue(from, values, file));
    }
    return { shape: "map", entries };
  }
  if (shape === asSet) {
    const members: Member[] = [];
    for (let left = from.next(); left > 0; left -= 1) members.push(values[from.next()] as Member);
    return { shape: "set", members, origin: { file, line: from.next(), column: from.next() } };
  }
  const value = values[from.next()] as Scalar;
  return { shape: "scalar", value, origin: { file, line: from.next(), column: from.next() } };
}

function readReferences(from: NumberCursor, { values }: Naming, by: Urn): readonly DeclaredReference[] {
  const file = values[from.next()] as string;
  const references: DeclaredReference[] = [];
  let place: Origin | undefined;
  for (let left = from.next(); left > 0; left -= 1) {
    const urn = values[from.next()] as Urn;
    const entityType = values[from.next()] as string;
    const facet = values[from.next()] as string;
    const [line, column, keys] = [from.next(), from.next(), from.next()];
    // All that one element refers to has the same place.
    if (place?.line !== line || place.column !== column) place = { file, line, column };
    const path: string[] = [];
    for (let more = keys; more > 0; more -= 1) path.push(values[from.next()] as string);
    references.push(
      keys === 0
        ? { urn, entityType, from: by, facet, origin: place }
        : { urn, entityType, from: by, facet, path, origin: place },
    );
  }
  return references;
}
