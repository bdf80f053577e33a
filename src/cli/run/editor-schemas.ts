import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readRegularFile } from "../../files/read-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { rewriteFile } from "../../files/rewrite-file.ts";
import { jsonText } from "../../report/json/pieces.ts";
import { displayName } from "../../manifests/catalog-files.ts";
import { manifestSchema } from "../../manifests/schema/manifest-schema.ts";
import { settingsSchema } from "../../manifests/schema/schema.ts";
import { defaultSettingsFile } from "../../manifests/settings/settings.ts";
import { hasEditorHeader, schemaFiles, withSchemaAt } from "../../model/schema-head.ts";
import { errorCode } from "../../model/text/error-text.ts";
import { writing } from "../errors.ts";

/** A catalog directory and its settings file, by paths that `cwd` completes. */
interface CatalogPlace {
  readonly cwd: string;
  readonly directory: string;
  readonly settingsFile?: string | undefined;
}

/** The settings file of a catalog directory. */
function settingsPath({ cwd, directory, settingsFile }: CatalogPlace): string {
  return resolve(cwd, settingsFile ?? defaultSettingsFile(directory));
}

/** Whether the files of a catalog directory name their schema for editors: where its settings file does. */
export function namesSchemas(place: CatalogPlace): boolean {
  const path = settingsPath(place);
  return existsSync(path) && hasEditorHeader(readRegularFile(path).toString("utf8"));
}

/**
 * Writes the schemas for editors into a catalog directory, where they are not there as they should be, and the line of the
 * settings file that names one; nothing where `namesSchemas` is false. Answers with the names of the files that are new, and
 * notifies of those that were changed. Throws `RunError` where one cannot be written.
 */
export async function writeSchemas(
  place: CatalogPlace,
  notify: (text: string) => void,
): Promise<readonly string[]> {
  if (!namesSchemas(place)) return [];
  const root = resolve(place.cwd, place.directory);
  const created: string[] = [];
  const write = (path: string, textFor: (before: string | undefined) => string): Promise<void> => {
    const name = displayName(path, place.cwd);
    return writing(name, async () => {
      const before = textAt(path);
      const after = textFor(before);
      if (before === after) return;
      if (before === undefined) {
        await replaceFile(path, after, { mode: 0o644 });
        created.push(name);
      } else {
        await rewriteFile(path, after);
        notify(`Updated ${name} for editors`);
      }
    });
  };
  const settings = settingsPath(place);
  const schemaOfSettings = join(root, schemaFiles.settings);
  await write(join(root, schemaFiles.manifest), () => jsonText(manifestSchema));
  await write(schemaOfSettings, () => jsonText(settingsSchema));
  await write(settings, (before = "") =>
    withSchemaAt(displayName(schemaOfSettings, dirname(settings)), before),
  );
  return created;
}

function textAt(path: string): string | undefined {
  try {
    return readRegularFile(path).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
