import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("headers.mjs", import.meta.url));

/**
 * Gives graphql-request a small class for Node's `Headers`. With the first of those Node loads its undici, which is for
 * `fetch`: see docs/internals/performance.md. Requests go over `node:http`, which does not need it.
 */
export function plainHeaders() {
  return {
    name: "plain-headers",
    transform: {
      filter: { id: /[\\/]graphql-request[\\/]/, code: /\bHeaders\b/ },
      /** @param {string} code */
      handler: (code) => `import { Headers } from ${JSON.stringify(file)};\n${code}`,
    },
  };
}
