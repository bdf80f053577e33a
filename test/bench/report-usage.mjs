// Preloaded into every measured process: on its exit writes to a file what it used, as JSON.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["BENCH_USAGE_FILE"];
if (file !== undefined)
  process.once("exit", () =>
    writeFileSync(file, JSON.stringify({ bytes: peakMemory(), processor: processorTime() })),
  );

// Linux counts the memory of the process that started this one into maxRSS (the peak survives exec), so its own
// peak is read where the system tells it.
function peakMemory() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(textOf("/proc/self/status")) ?? [];
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) * 1024;
}

/** In seconds, with that of the processes which it started and which have ended. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  // The name of the program, which may hold spaces, stands in brackets before these fields; a tick is 10 ms.
  const fields = textOf("/proc/self/stat")
    .replace(/^.*\) /s, "")
    .split(" ");
  const ticks = Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
  return (user + system) / 1e6 + ticks / 100;
}

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not Linux.
    return "";
  }
}
