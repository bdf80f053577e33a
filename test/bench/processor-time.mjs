import { readFileSync } from "node:fs";

/**
 * The text of a file, empty where there is none: not every system has these.
 * @param {string} path
 */
export function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * The seconds of processor time of a running process; not a number where the system does not tell.
 * @param {number} pid
 */
export function processorTimeOf(pid) {
  const [user, system] = ticksIn(textOf(`/proc/${pid}/stat`), 11);
  return (user + system) / 100;
}

/** The seconds of processor time of this process and of those which it started and which have ended. */
export function ownProcessorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (childrenProcessorTime() || 0);
}

/** The seconds of processor time of the processes that this one started and that have ended. */
export function childrenProcessorTime() {
  const [user, system] = ticksIn(textOf("/proc/self/stat"), 13);
  return (user + system) / 100;
}

/**
 * Two neighbouring fields of such a file, in ticks of 10 ms.
 * @param {string} stat
 * @param {number} field
 */
function ticksIn(stat, field) {
  // The name of the program, which may hold spaces, stands in brackets before the fields.
  const fields = stat.replace(/^.*\) /s, "").split(" ");
  return /** @type {const} */ ([Number(fields[field]), Number(fields[field + 1])]);
}
