import type { Plugin } from "vite";

/** Has tests load compiled checks. The plugins are those that change which schemas there are. */
export function cachedChecks(...plugins: readonly Plugin[]): Plugin;
