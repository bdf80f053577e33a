import type { Urn } from "../../model/urn.ts";

/** Something that a filter can name: by its id, its URN or its display name. */
export interface Nameable {
  readonly urn: Urn;
  readonly names: readonly string[];
}

/** What a text names, or all that it can mean; neither where it names nothing. */
interface NameFound {
  readonly urn?: Urn;
  readonly several?: readonly Urn[];
}

/** What a text names among some entities: exactly, or in another case where only one has such a name. */
export function namedAmong(text: string, all: readonly Nameable[]): NameFound {
  const wanted = text.toLowerCase();
  const tries: readonly ((name: string) => boolean)[] = [
    (name) => name === text,
    (name) => name.toLowerCase() === wanted,
  ];
  for (const isIt of tries) {
    const urns = [...new Set(all.filter(({ names }) => names.some(isIt)).map(({ urn }) => urn))];
    const [urn, ...others] = urns;
    if (urn !== undefined) return others.length === 0 ? { urn } : { several: urns };
  }
  return {};
}
