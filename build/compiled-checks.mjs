import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { compactSchema } from "./compact-schema.mjs";

const replaced = /[\\/]src[\\/]manifests[\\/]schema[\\/]compiled-check\.ts$/;
const schemas = "src/manifests/schema/checked-schemas.ts";

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

/** What a module of the sources exports. It may import only other sources. */
async function evaluated(input) {
  const bundle = await rolldown({ input, platform: "node" });
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
