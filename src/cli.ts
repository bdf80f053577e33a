#!/usr/bin/env node
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";

// Node.js 22.8 and later can cache what is compiled after this call, so the rest is imported below.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
// V8 would let the heap grow to several times what is in use (docs/performance.md).
setFlagsFromString("--heap-growing-percent=100");
await import("./cli/main.ts");
