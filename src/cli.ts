#!/usr/bin/env node
import * as nodeModule from "node:module";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

// Node.js 22.8 and later can cache what is compiled after this call, so the rest is imported below.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

// V8 would let the heap grow to several times what is in use (docs/performance.md). Where that is much, it grows by less.
setFlagsFromString("--heap-growing-percent=100");
const largeHeap = 200 * 1024 ** 2;
const watching = setInterval(() => {
  if (getHeapStatistics().used_heap_size < largeHeap) return;
  setFlagsFromString("--heap-growing-percent=50");
  clearInterval(watching);
}, 500).unref();

await import("./cli/main.ts");
