import type { GithubConnection } from "./connection.ts";
import { failWith } from "./fail-with.ts";
import { type Asked, GithubError, refusal } from "./failure.ts";
import { within } from "./within.ts";

/** How long a download may take, in milliseconds. */
const timeout = 300_000;

/** What is downloaded. */
export interface Download {
  readonly address: string;
  readonly asked: Asked;
  readonly most: number;
}

/** Downloads without the token. Throws `GithubError`, or the reason of the signal. */
export async function downloaded(
  connection: GithubConnection,
  { address, asked, most }: Download,
): Promise<Buffer> {
  return await within(connection, timeout, async (signal) => {
    const response = await connection.fetch(address, { signal });
    if (response.ok) return await bytesOf(response, asked, most);
    await response.body?.cancel();
    const { status, headers } = response;
    const said = "from the storage of artifacts";
    throw refusal({ status, headers: Object.fromEntries(headers), said }, asked, Date.now());
  }).catch(failWith(connection, asked));
}

async function bytesOf(response: Response, { what }: Asked, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > most) {
      const message = `the archive has more than ${most / 1_000_000} MB: cannot ${what}`;
      throw new GithubError("archive", message);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}
