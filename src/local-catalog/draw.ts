/** Draws pseudorandom numbers that depend only on a seed and a list of keys, so that the draws can be repeated. */

import { createHash } from "node:crypto";

/** Returns a number from 0 to less than 1. It depends only on `seed` and `place`, not on the order of calls. */
export function draw(seed: number, ...place: readonly (string | number)[]): number {
  const digest = createHash("sha256")
    .update([seed, ...place].join(" "))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
