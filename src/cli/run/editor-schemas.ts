/**
 * Writes the schemas that editors use to check and complete manifests and settings, and reads the entities to offer for
 * completion.
 */

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeDirectory } from "../../files/create-file.ts";
import { readRegularFile } from "../../files/read-file.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { rewriteFile } from "../../files/rewrite-file.ts";
import { jsonText } from "../../report/json/pieces.ts";
import { gitStateWithIgnored } from "../../git/state.ts";
import { displayName } from "../../manifests/base/catalog-files.ts";
import { type KnownEntities, knownIn, manifestSchemaWith } from "../../manifests/schema/known-schema.ts";
import { settingsSchema } from "../../manifests/schema/schema.ts";
import { defaultSettingsFile } from "../../manifests/settings/settings.ts";
import { asCatalogError } from "../../model/catalog-error.ts";
import type { Json } from "../../model/json.ts";
import { hasEditorHeader, schemaFiles, withSchemaAt } from "../../model/schema-head.ts";
import { errorCode } from "../../model/text/error-text.ts";
import { type Location, rootOf } from "../../workflow/scope/repository.ts";
import { writing } from "../errors.ts";
import type { Io } from "../io.ts";
import { note } from "../output/messages.ts";
import { knownInCatalog, unitedKnown } from "./known-entities.ts";
import type { Connection } from "../../datahub/http/connection.ts";

function settingsPath({ cwd, directory, settingsFile }: Location): string {
  return resolve(cwd, settingsFile ?? defaultSettingsFile(directory));
}

/** Whether a catalog directory has schemas for editors: its settings file refers to a schema, or the manifest schema exists. */
export function hasSchemas(place: Location): boolean {
  return namesSchema(settingsPath(place)) || existsSync(join(rootOf(place), schemaFiles.manifest));
}

function namesSchema(settings: string): boolean {
  return existsSync(settings) && hasEditorHeader(readRegularFile(settings).toString("utf8"));
}

/**
 * Returns the catalog entities that editors offer for completion. If they cannot be read, prints a note and returns `undefined`.
 */
export async function knownForEditors(connection: Connection, io: Io): Promise<KnownEntities | undefined> {
  try {
    return await knownInCatalog(connection, io.interrupted);
  } catch (error) {
    const { message } = asCatalogError(error);
    note(
      `warning: cannot read the ids for editor completion; the schemas are left unchanged: ${message}`,
      io,
    );
    return undefined;
  }
}

/** The entities that editors offer for completion in manifests. */
export interface Completions {
  /** The entities in the catalog. If `undefined`, the entities in the existing schema are kept. */
  readonly inCatalog: KnownEntities | undefined;
  readonly inManifests: KnownEntities;
}

/**
 * Updates the manifest schema. If the settings file refers to a schema, also updates that schema and the reference. Returns the
 * names of new files, and passes a message about each updated file to `notify`. Throws `RunError` if a file cannot be written.
 */
export async function writeSchemas(
  place: Location,
  { inCatalog, inManifests }: Completions,
  notify: (text: string) => void,
): Promise<readonly string[]> {
  const root = rootOf(place);
  const created: string[] = [];
  const write = (path: string, textFor: (before: string | undefined) => string): Promise<void> => {
    const name = displayName(path, place.cwd);
    return writing(name, async () => {
      const before = textAt(path);
      const after = textFor(before);
      if (before === after) return;
      if (before === undefined) {
        await makeDirectory(dirname(path));
        await replaceFile(path, after, { mode: 0o644 });
        created.push(name);
      } else {
        await rewriteFile(path, after);
        notify(`Updated ${name} for editors`);
      }
    });
  };
  await write(join(root, schemaFiles.manifest), (before) =>
    jsonText(manifestSchemaWith(unitedKnown([inCatalog ?? knownBefore(before), inManifests]))),
  );
  const settings = settingsPath(place);
  if (namesSchema(settings)) {
    const schemaOfSettings = join(root, schemaFiles.settings);
    await write(schemaOfSettings, () => jsonText(settingsSchema));
    await write(settings, (before = "") =>
      withSchemaAt(displayName(schemaOfSettings, dirname(settings)), before),
    );
  }
  const { ignored } = await gitStateWithIgnored(root);
  const lost = Object.values(schemaFiles).filter((name) => ignored.includes(name));
  const names = lost.map((name) => displayName(join(root, name), place.cwd));
  if (names.length > 0)
    notify(`warning: Git ignores ${names.join(", ")}, so editors cannot find the schemas in a clone`);
  return created;
}

/** Returns the entities in the text of an existing schema file, or none if the text is not valid JSON. */
function knownBefore(text = ""): KnownEntities {
  try {
    return knownIn(JSON.parse(text) as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

function textAt(path: string): string | undefined {
  try {
    return readRegularFile(path).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
