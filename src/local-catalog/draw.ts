/** Draws pseudorandom numbers that a seed can repeat. */

import { createHash } from "node:crypto";

/** Returns a number from 0 to less than 1 that depends only on the seed and the place, not on the order of calls. */
export function draw(seed: number, ...place: readonly (string | number)[]): number {
  const digest = createHash("sha256")
    .update([seed, ...place].join(" "))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
