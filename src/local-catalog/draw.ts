import { createHash } from "node:crypto";

/**
 * A number from 0 to less than 1 that follows from the seed and the place alone. Each place has its own, so the order of
 * requests decides what happens, not the order in which their parts are carried out.
 */
export function draw(seed: number, ...place: readonly (string | number)[]): number {
  const digest = createHash("sha256")
    .update([seed, ...place].join(" "))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
