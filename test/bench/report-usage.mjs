// Preloaded into every measured process: on its exit writes the peak of its resident memory, in bytes, to a file.
import { readFileSync, writeFileSync } from "node:fs";

const file = process.env["BENCH_USAGE_FILE"];
if (file !== undefined) process.once("exit", () => writeFileSync(file, String(peakMemory())));

// Linux counts the memory of the process that started this one into maxRSS (the peak survives exec), so its own
// peak is read where the system tells it.
function peakMemory() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS * 1024;
}
