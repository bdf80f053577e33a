import { readFileSync, statfsSync } from "node:fs";

const memory = "/dev/shm";
const enough = 2 ** 30;

/**
 * Puts temporary directories into memory where there is enough of it: the tests make thousands, and a disk has as much
 * to do with them as the tests themselves. `TMPDIR` wins.
 */
export function setup(): void {
  if (process.env["TMPDIR"] === undefined && isUsable()) process.env["TMPDIR"] = memory;
}

/** Whether it is there, programs can be run in it, and it has room. */
function isUsable(): boolean {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const [, , , options = "noexec"] = mounts.find((line) => line.split(" ")[1] === memory)?.split(" ") ?? [];
    const { bavail, bsize } = statfsSync(memory);
    return !options.split(",").includes("noexec") && bavail * bsize >= enough;
  } catch {
    return false;
  }
}
