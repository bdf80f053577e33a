// Preloaded into every measured process: on its exit writes to a file what it used, as JSON.
import { writeFileSync } from "node:fs";
import { ownProcessorTime, textOf } from "./processor-time.mjs";

const file = process.env["BENCH_USAGE_FILE"];
if (file !== undefined)
  process.once("exit", () =>
    writeFileSync(file, JSON.stringify({ bytes: peakMemory(), processor: ownProcessorTime() })),
  );

// Linux counts the memory of the process that started this one into maxRSS (the peak survives exec), so its own
// peak is read where the system tells it.
function peakMemory() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(textOf("/proc/self/status")) ?? [];
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) * 1024;
}
