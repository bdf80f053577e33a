import type { Entity } from "../model/state.ts";
import type { Urn } from "../model/urn.ts";
import type { Collected, Declaration } from "./declaration.ts";
import { isPackable, type Packed, packing } from "./packed/packing.ts";

/** What manifests declare, in the order of the manifests. Each iteration makes its declarations anew. */
export interface Declarations extends Iterable<Declaration> {
  readonly length: number;
  at(index: number): Declaration;
  entityAt(index: number): Entity;
  /** Of whom the declaration is, in which file, and whether it is an element of another entity's list. */
  urnAt(index: number): Urn;
  fileAt(index: number): string;
  isInlineAt(index: number): boolean;
}

/** Declarations that can be added to. */
export interface DeclarationList extends Declarations {
  push(declaration: Declaration): void;
}

/**
 * An empty list. What is declared of assets is kept in a few hundred bytes each, as numbers: places, and names that
 * stand for texts and members, which thousands of manifests share. A million assets would need gigabytes as objects.
 * Definitions, and what is unusual, are kept as they are.
 */
export function declarationList(): DeclarationList {
  const entries: (Declaration | Packed)[] = [];
  const code = packing();
  const entryAt = (index: number): Declaration | Packed => {
    const entry = entries[index];
    if (!entry) throw new Error(`there is no declaration ${index}`);
    return entry;
  };
  const at = (index: number): Declaration => {
    const entry = entryAt(index);
    return "entity" in entry ? entry : code.unpacked(entry);
  };
  return {
    get length() {
      return entries.length;
    },
    push: (declaration) => {
      entries.push(isPackable(declaration) ? code.pack(declaration) : declaration);
    },
    at,
    entityAt: (index) => {
      const entry = entryAt(index);
      return "entity" in entry ? entry.entity : code.entity(entry);
    },
    urnAt: (index) => {
      const entry = entryAt(index);
      return "entity" in entry ? entry.entity.urn : entry.urn;
    },
    fileAt: (index) => {
      const entry = entryAt(index);
      return "entity" in entry ? (entry.entity.origin?.file ?? "") : code.file(entry);
    },
    isInlineAt: (index) => {
      const entry = entryAt(index);
      return "entity" in entry && entry.inline;
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < entries.length; index += 1) yield at(index);
    },
  };
}

/** A list of some declarations that are there. */
export function declarationsOf(declarations: readonly Declaration[]): Declarations {
  const at = (index: number): Declaration => {
    const declaration = declarations[index];
    if (!declaration) throw new Error(`there is no declaration ${index}`);
    return declaration;
  };
  return {
    length: declarations.length,
    at,
    entityAt: (index) => at(index).entity,
    urnAt: (index) => at(index).entity.urn,
    fileAt: (index) => at(index).entity.origin?.file ?? "",
    isInlineAt: (index) => at(index).inline,
    [Symbol.iterator]: () => declarations[Symbol.iterator](),
  };
}

/** One declaration of a list. */
export interface Pick {
  readonly from: Declarations;
  readonly index: number;
}

/** Some declarations of other lists. None is made before it is asked for. */
export function pickedDeclarations(picks: readonly Pick[]): Declarations {
  const pickAt = (place: number): Pick => {
    const pick = picks[place];
    if (!pick) throw new Error(`there is no declaration ${place}`);
    return pick;
  };
  const ask =
    <Result>(what: (from: Declarations, index: number) => Result) =>
    (place: number): Result => {
      const { from, index } = pickAt(place);
      return what(from, index);
    };
  const at = ask((from, index) => from.at(index));
  return {
    length: picks.length,
    at,
    entityAt: ask((from, index) => from.entityAt(index)),
    urnAt: ask((from, index) => from.urnAt(index)),
    fileAt: ask((from, index) => from.fileAt(index)),
    isInlineAt: ask((from, index) => from.isInlineAt(index)),
    *[Symbol.iterator]() {
      for (let place = 0; place < picks.length; place += 1) yield at(place);
    },
  };
}

/** Where nothing has been read yet. */
export function nothingCollected(): Collected {
  return { problems: [], declarations: declarationList(), rules: [], documents: 0, unreadable: 0 };
}

/** Where nothing has been read yet of an earlier commit. */
export function nothingCollectedEarlier(): Collected {
  return { ...nothingCollected(), isHistory: true };
}

/** What declares one entity. */
export function declarationsOfEntity(declarations: Declarations, urn: Urn): readonly Declaration[] {
  const own: Declaration[] = [];
  for (let index = 0; index < declarations.length; index += 1) {
    if (declarations.urnAt(index) === urn) own.push(declarations.at(index));
  }
  return own;
}
