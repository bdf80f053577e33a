import { inFrontOf } from "./in-front-of.ts";

/** How a server answers for an entity that it cannot or will not show. */
export interface Denial {
  /** The documents that are answered so; all by default. */
  readonly isDenied?: (query: string) => boolean;
  /** What is answered in the place of the entity; `null` by default. */
  readonly instead?: (entity: unknown) => unknown;
  /** Whether no error says why. */
  readonly isSilent?: boolean;
}

/**
 * A server in front of another one, which answers for one entity as DataHub does where somebody may not read it. All else
 * is passed on. Ends with the test.
 */
export async function denying(target: string, urn: string, denial: Denial = {}): Promise<string> {
  const { isDenied = () => true, instead = () => null, isSilent = false } = denial;
  return await inFrontOf(target, async ({ text, query, variables }) => {
    const asked = variables["urns"];
    const at = Array.isArray(asked) ? asked.indexOf(urn) : -1;
    if (at < 0 || !isDenied(query)) return undefined;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${target}/api/graphql`, { method: "POST", headers, body: text });
    const { data } = (await answer.json()) as { data: { entities: readonly unknown[] } };
    const errors = isSilent ? [] : [{ message: "Unauthorized", path: ["entities", at] }];
    return { data: { ...data, entities: data.entities.with(at, instead(data.entities[at])) }, errors };
  });
}
