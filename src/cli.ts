#!/usr/bin/env node
import * as nodeModule from "node:module";
import { setFlagsFromString } from "node:v8";

// Node.js 22.8 and later keep what they compile, from when they are told to: so before the rest is loaded.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
// Of what is read little is kept, yet V8 lets its heap grow to several times that before it looks (docs/performance.md).
setFlagsFromString("--heap-growing-percent=100");
await import("./cli/main.ts");
