/** Draws reproducible pseudorandom numbers from a seed and a list of keys. */

import { createHash } from "node:crypto";

/** Returns a number in the range [0, 1). The result depends only on `seed` and `place`, not on the order of calls. */
export function draw(seed: number, ...place: readonly (string | number)[]): number {
  const digest = createHash("sha256")
    .update([seed, ...place].join(" "))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
