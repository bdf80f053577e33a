/** Packs the declarations of assets into integers, so that a million declarations fit into memory. */

import type { Origin } from "./origin.ts";
import type { DeclaredReference } from "./reference.ts";
import type { Entity, FacetValue, KindName, Member, Scalar } from "./state.ts";
import type { Urn } from "./urn.ts";
import type { Declaration } from "./declaration.ts";

/** A declaration in packed form. It stores the offsets of its numbers, and unpacks the numbers on each access. */
class PackedDeclaration implements Declaration {
  readonly #storage: Storage;
  readonly #start: number;
  readonly #references: number;
  readonly urn: Urn;

  constructor(declaration: Declaration, storage: Storage) {
    this.#storage = storage;
    this.urn = declaration.entity.urn;
    this.#start = storage.append(entityNumbers(declaration, storage));
    this.#references = storage.append(referenceNumbers(declaration, storage));
  }

  get entity(): Entity {
    return readEntity(this.#storage.from(this.#start), this.#storage, this.urn);
  }

  get references(): readonly DeclaredReference[] {
    return readReferences(this.#storage.from(this.#references), this.#storage, this.urn);
  }

  get file(): string {
    return this.#storage.values[this.#storage.from(this.#references)()] as string;
  }

  // This is a getter because a field would use memory.
  get inline(): boolean {
    return false;
  }
}

/**
 * Returns a function that packs the declaration of an asset into a few hundred bytes. A million unpacked declarations would need
 * gigabytes.
 */
export function packer(isAsset: (kind: KindName) => boolean): (declaration: Declaration) => Declaration {
  const storage = emptyStorage();
  return (declaration) => {
    const { entity, inline, exempt } = declaration;
    const isPackable = !inline && !exempt && !entity.manage && isAsset(entity.kind);
    return isPackable ? new PackedDeclaration(declaration, storage) : declaration;
  };
}

/** Returns the URN in a declaration without unpacking it. */
export function urnOf(declaration: Declaration): Urn {
  return declaration instanceof PackedDeclaration ? declaration.urn : declaration.entity.urn;
}

/** Returns the file of a declaration without unpacking it. */
export function fileOf(declaration: Declaration): string {
  return declaration instanceof PackedDeclaration
    ? declaration.file
    : (declaration.entity.origin?.file ?? "");
}

const [asScalar, asSet, asMap] = [0, 1, 2];

type Named = Scalar | Member;

function entityNumbers({ entity }: Declaration, { numberOf }: Storage): readonly number[] {
  const { kind, origin, facets } = entity;
  const { file = "", line = 0, column = 0 } = origin ?? {};
  const to = [numberOf(kind), numberOf(file), line, column, facets.size];
  for (const [name, value] of facets) {
    to.push(numberOf(name));
    putValue(value, numberOf, to);
  }
  return to;
}

function putValue(value: FacetValue, numberOf: Storage["numberOf"], to: number[]): void {
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

function referenceNumbers({ entity, references }: Declaration, { numberOf }: Storage): readonly number[] {
  const to = [numberOf(entity.origin?.file ?? ""), references.length];
  for (const { urn, entityType, facet, path = [], origin } of references) {
    to.push(numberOf(urn), numberOf(entityType), numberOf(facet), origin.line, origin.column, path.length);
    for (const key of path) to.push(numberOf(key));
  }
  return to;
}

// Reads an entity from its numbers. The type assertions are safe because `entityNumbers` wrote each value at the same position.
function readEntity(next: NextNumber, { values }: Storage, urn: Urn): Entity {
  const kind = values[next()] as string;
  const file = values[next()] as string;
  const origin = { file, line: next(), column: next() };
  const facets = new Map<string, FacetValue>();
  for (let left = next(); left > 0; left -= 1) {
    facets.set(values[next()] as string, readValue(next, values, file));
  }
  return { urn, kind, facets, origin };
}

function readValue(next: NextNumber, values: readonly Named[], file: string): FacetValue {
  const shape = next();
  if (shape === asMap) {
    const entries = new Map<string, FacetValue>();
    for (let left = next(); left > 0; left -= 1) {
      entries.set(values[next()] as string, readValue(next, values, file));
    }
    return { shape: "map", entries };
  }
  if (shape === asSet) {
    const members = Array.from({ length: next() }, () => values[next()] as Member);
    return { shape: "set", members, origin: { file, line: next(), column: next() } };
  }
  const value = values[next()] as Scalar;
  return { shape: "scalar", value, origin: { file, line: next(), column: next() } };
}

function readReferences(next: NextNumber, { values }: Storage, by: Urn): readonly DeclaredReference[] {
  const file = values[next()] as string;
  const references: DeclaredReference[] = [];
  let place: Origin | undefined;
  for (let left = next(); left > 0; left -= 1) {
    const urn = values[next()] as Urn;
    const entityType = values[next()] as string;
    const facet = values[next()] as string;
    const [line, column, keys] = [next(), next(), next()];
    // References in the same element have the same position, and therefore share one object.
    if (place?.line !== line || place.column !== column) place = { file, line, column };
    const path: string[] = [];
    for (let more = keys; more > 0; more -= 1) path.push(values[next()] as string);
    references.push(
      keys === 0
        ? { urn, entityType, from: by, facet, origin: place }
        : { urn, entityType, from: by, facet, path, origin: place },
    );
  }
  return references;
}

type NextNumber = () => number;

/** A store for four-byte integers and the values that they refer to. Each string and each object is stored only once. */
interface Storage {
  readonly values: readonly Named[];
  readonly numberOf: (value: Named) => number;
  /** Stores numbers contiguously, and returns their offset. */
  readonly append: (numbers: readonly number[]) => number;
  readonly from: (start: number) => NextNumber;
}

/** The number of integers in a block, unless a single declaration needs more. */
const blockSize = 65_536;

function emptyStorage(): Storage {
  const values: Named[] = [];
  const numberByValue = new Map<Named, number>();
  // Using blocks avoids copying all numbers when more are added.
  const blocks: Int32Array[] = [];
  let block = new Int32Array(0);
  let used = 0;
  return {
    values,
    numberOf: (value) => {
      const known = numberByValue.get(value);
      if (known !== undefined) return known;
      numberByValue.set(value, values.length);
      return values.push(value) - 1;
    },
    append: (numbers) => {
      if (used + numbers.length > block.length) {
        block = new Int32Array(Math.max(blockSize, numbers.length));
        blocks.push(block);
        used = 0;
      }
      block.set(numbers, used);
      used += numbers.length;
      return (blocks.length - 1) * blockSize + used - numbers.length;
    },
    from: (start) => {
      const numbers = blocks[Math.floor(start / blockSize)] ?? block;
      let at = start % blockSize;
      return () => numbers[at++] ?? 0;
    },
  };
}
