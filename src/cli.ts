#!/usr/bin/env node
/** The entry point of the program: sets up the compile cache and the heap, then loads the command line. */

import * as nodeModule from "node:module";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

// Node.js 22.8 and later caches code that is compiled after this call. The rest is therefore imported below.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

// V8 would let the heap grow to several times the memory in use (docs/internals/performance.md). A large heap grows more slowly.
setFlagsFromString("--heap-growing-percent=100");
const largeHeap = 200 * 1024 ** 2;
const watching = setInterval(() => {
  if (getHeapStatistics().used_heap_size < largeHeap) return;
  setFlagsFromString("--heap-growing-percent=50");
  clearInterval(watching);
}, 500).unref();

await import("./cli/main.ts");
