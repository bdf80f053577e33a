import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { compactSchema } from "./compact-schema.mjs";

const replaced = /[\\/]src[\\/]manifests[\\/]schema[\\/]compiled-check\.ts$/;
const schemas = join(import.meta.dirname, "../src/manifests/schema/checked-schemas.ts");
const cache = join(import.meta.dirname, "../node_modules/.cache/datahub-gitops");

/** The part of the bundle that has the checks alone. */
export const checksChunk = { name: "checks", test: replaced };

/**
 * Puts compiled checks in the place of the module that compiles them. They are minified, as nobody reads them: half of the code that
 * most commands load are checks.
 */
export function compiledChecks() {
  return {
    name: "compiled-checks",
    load: { filter: { id: replaced }, handler: async () => compiled(await evaluated(schemas)) },
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle))
        if (part.name === checksChunk.name) part.code = minifySync(part.fileName, part.code).code;
    },
  };
}

/**
 * The same for tests: they load a file with the compiled checks, which is made again only when a schema changes. The plugins are those
 * that change which schemas there are. Who edits schemas while Vitest watches has them compiled at run time.
 */
export function cachedChecks(...plugins) {
  let file;
  return {
    name: "cached-checks",
    enforce: "pre",
    apply: () => process.env.VITEST_MODE !== "WATCH",
    resolveId: {
      filter: { id: /^\.\/compiled-check\.ts$/ },
      handler: () => (file ??= cached(plugins)),
    },
  };
}

/** A file below `node_modules`, so that Vitest leaves it to Node. Its name is the digest of what it is made of. */
async function cached(plugins) {
  const inputs = await evaluated(schemas, plugins);
  const parts = [
    inputs,
    ...["compiled-checks.mjs", "compact-schema.mjs", "../package-lock.json"].map(textOf),
  ];
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const file = join(cache, `checks-${digest}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${requireOfNode}${compiled(inputs).code}`);
  renameSync(unfinished, file);
  return file;
}

const requireOfNode = `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
`;

function textOf(name) {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}

/** What a module of the sources exports. It may import only other sources. */
async function evaluated(input, plugins = []) {
  const bundle = await rolldown({ input, platform: "node", plugins });
  const { output } = await bundle.generate({ codeSplitting: false });
  return await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/** A module with the checks by all schemas, by name. */
function compiled({ checkedSchemas, checkOptions, checkReferences }) {
  const ajv = new Ajv({ ...checkOptions, code: { source: true, esm: true } });
  for (const [name, { $schema: _, $id: _id, ...body }] of Object.entries(checkedSchemas))
    ajv.addSchema(compactSchema(body), name);
  const names = Object.keys(checkReferences);
  const code = standalone.default(ajv, checkReferences);
  const checks = `const checks = { ${names.join(", ")} };`;
  return {
    moduleType: "js",
    code: `${code}\n${checks}\nexport const compiledCheck = (name) => checks[name];\n`,
  };
}
