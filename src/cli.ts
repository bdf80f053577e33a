#!/usr/bin/env node
/** The program's entry point: enables the compile cache, limits the growth of the heap, and loads the command line. */

import * as nodeModule from "node:module";
import { getHeapStatistics, setFlagsFromString } from "node:v8";

// Node.js 22.8 and later cache code that is compiled after this call. The command line is therefore imported dynamically below.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

// By default, V8 lets the heap grow to several times the memory in use (see docs/internals/performance.md). These flags limit the
// growth. The limit is stricter for a large heap.
setFlagsFromString("--heap-growing-percent=100");
const largeHeap = 200 * 1024 ** 2;
const watching = setInterval(() => {
  if (getHeapStatistics().used_heap_size < largeHeap) return;
  setFlagsFromString("--heap-growing-percent=50");
  clearInterval(watching);
}, 500).unref();

await import("./cli/main.ts");
