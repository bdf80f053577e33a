import type { Ran } from "../support/command-line.ts";
import type { Storm } from "./world.ts";

/** How requests of others are told from ours. */
const others = "Bearer others";

/** Sends a request as others do; an empty object where their connection breaks. */
export async function askedByOthers({ catalog }: Storm, path: string, body: object): Promise<object> {
  const headers = { authorization: others, "content-type": "application/json" };
  const sent = { method: "POST", headers, body: JSON.stringify(body) };
  return await fetch(catalog.url + path, sent).then(
    (response) => response.json() as Promise<object>,
    () => ({}),
  );
}

/** An apply, and what others did meanwhile. */
interface Beside<Edit> {
  readonly ran: Ran;
  readonly edits: readonly Edit[];
  /** Whether others were still editing an entity when it was read for the last time. */
  readonly isLate: (urn: string) => boolean;
}

/** Others, and when they begin to edit an entity. `edit` answers with what was confirmed. */
interface Others<Edit> {
  readonly begin: "when it is looked at again" | "when it is written";
  readonly edit: (urn: string) => Promise<readonly Edit[]>;
  /** Is told when an entity is read back, and of all when the apply has ended. */
  readonly onReadBack?: (urn: string) => void;
}

/** Applies while others edit some entities. */
export async function applyBeside<Edit>(
  storm: Storm,
  edited: readonly string[],
  { begin, edit, onReadBack }: Others<Edit>,
): Promise<Beside<Edit>> {
  const left = new Set(edited);
  const planned = new Set<string>();
  const edits: Promise<readonly Edit[]>[] = [];
  const going = new Set<string>();
  const late = new Map<string, boolean>();
  const written = new Set<string>();
  let seen = 0;
  const watch = setInterval(() => {
    for (const { authorization, body, path } of storm.catalog.requests.slice(seen)) {
      if (authorization === others) continue;
      const text = JSON.stringify(body ?? "");
      const isWrite = path.startsWith("/aspects?") || text.startsWith('{"query":"mutation');
      for (const urn of edited.filter((each) => text.includes(each))) {
        late.set(urn, going.has(urn));
        if (isWrite) written.add(urn);
        else if (written.has(urn) && path.endsWith("/graphql")) onReadBack?.(urn);
      }
      for (const urn of [...left].filter((each) => text.includes(each))) {
        const isAgain = planned.has(urn) && begin === "when it is looked at again";
        planned.add(urn);
        if (!isWrite && !isAgain) continue;
        left.delete(urn);
        going.add(urn);
        edits.push(edit(urn).finally(() => going.delete(urn)));
      }
    }
    seen = storm.catalog.requests.length;
  }, 1);
  const ran = await storm.apply();
  clearInterval(watch);
  for (const urn of edited) onReadBack?.(urn);
  return { ran, edits: (await Promise.all(edits)).flat(), isLate: (urn) => late.get(urn) === true };
}
