import type { Plugin } from "vite";

/** Puts the script and the style of pages, made of `src/page`, in the place of the module that stands for them. */
export function pageAssets(): Plugin;
