#!/usr/bin/env node
import * as nodeModule from "node:module";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

// Node.js 22.8 and later keep what they compile, from when they are told to: so before the rest is loaded.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
// Of what is read little is kept, yet V8 lets its heap grow to several times that before it looks: so it takes a third less
// memory in the same time (docs/performance.md). What writes or serves runs long, and would collect young objects too often;
// so would what keeps much.
const [, , command = ""] = process.argv;
const runsLong = ["apply", "demo", "serve"].includes(command);
const flags = ["--heap-growing-percent=100", ...(runsLong ? [] : ["--semi-space-growth-factor=1"])];
for (const flag of flags) setFlagsFromString(flag);
const untilMuchIsKept = setInterval(() => {
  if (getHeapStatistics().used_heap_size < 128e6) return;
  setFlagsFromString("--semi-space-growth-factor=2");
  clearInterval(untilMuchIsKept);
}, 50).unref();
await import("./cli/main.ts");
