import { inFrontOf } from "./in-front-of.ts";

/** The text of a write as it is sent: of a mutation document with its variables, or of a proposal. */
type IsRefused = (write: string) => boolean;

/**
 * A server in front of another one, which refuses some writes as DataHub does: mutations by an error for each alias,
 * proposals with HTTP 403. All else is passed on. Ends with the test.
 */
export async function refusing(target: string, isRefused: IsRefused): Promise<string> {
  return await inFrontOf(target, ({ text, query, variables }, response, { url }) => {
    const isWrite = query.startsWith("mutation") || url.startsWith("/aspects?");
    if (!isWrite || !isRefused(text)) return undefined;
    if (query === "") {
      response.statusCode = 403;
      return { message: "refused" };
    }
    const aliases = [...new Set(Object.keys(variables).map((name) => name.split("_")[0] ?? ""))];
    const errors = aliases.map((alias) => ({ message: "refused", path: [alias], extensions: { code: 403 } }));
    return { data: Object.fromEntries(aliases.map((alias) => [alias, null])), errors };
  });
}
