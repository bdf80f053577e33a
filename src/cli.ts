#!/usr/bin/env node
import * as nodeModule from "node:module";

// Node.js 22.8 and later keep what they compile, from when they are told to: so before the rest is loaded.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();
await import("./cli/main.ts");
