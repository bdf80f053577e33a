import { inFrontOf } from "./in-front-of.ts";

/**
 * A server in front of another one, which answers for one entity as DataHub does where somebody may not read it. All else
 * is passed on. Ends with the test.
 */
export async function denying(target: string, urn: string): Promise<string> {
  return await inFrontOf(target, async ({ text, variables }) => {
    const asked = variables["urns"];
    const at = Array.isArray(asked) ? asked.indexOf(urn) : -1;
    if (at < 0) return undefined;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${target}/api/graphql`, { method: "POST", headers, body: text });
    const { data } = (await answer.json()) as { data: { entities: readonly unknown[] } };
    const errors = [{ message: "Unauthorized", path: ["entities", at] }];
    return { data: { ...data, entities: data.entities.with(at, null) }, errors };
  });
}
