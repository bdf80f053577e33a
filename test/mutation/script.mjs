import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import { rolldown } from "rolldown";

/** The tests and all that they import of ours, as one script; it evaluates to a function of `require` and `exports`. */
export async function scriptOf(files) {
  const entry = "tests";
  const loaders = files.map(
    (file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(resolve(file))})`,
  );
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    logLevel: "silent",
    external: (id) => id !== entry && !/^[./]/.test(id),
    plugins: [
      {
        name: "tests",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? `export const loaders = { ${loaders.join(",")} };` : undefined),
        // It would be the place of the script.
        transform: (code, id) =>
          code
            .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
            .replaceAll("import.meta.dirname", JSON.stringify(dirname(id))),
      },
    ],
  });
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false });
  // Libraries that are loaded when they are used.
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script(`(function (require, exports) {${output[0].code}\n})`, {
    filename: resolve("tests.cjs"),
    importModuleDynamically,
  });
}
