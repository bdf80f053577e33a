/** Defines the command `schema`, which prints a JSON Schema for editors and other programs. */

import { Command, Option } from "commander";
import { checkServer } from "../../datahub/server-config.ts";
import { manifestSchemaWith } from "../../manifests/schema/known-schema.ts";
import { manifestSchema } from "../../manifests/schema/manifest-schema.ts";
import { settingsSchema } from "../../manifests/schema/schema.ts";
import type { JsonObject } from "../../model/json.ts";
import type { SchemaName } from "../../model/schema-head.ts";
import { expressionSchema } from "../../plan/policies/expression-schema.ts";
import { jsonText } from "../../report/json/pieces.ts";
import { planSchema } from "../../report/saved/plan-schema.ts";
import { failureSchema, reportSchema } from "../../report/saved/report-schema.ts";
import { roundSchema } from "../../report/saved/round-schema.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import { UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { choiceArgument } from "../options/names.ts";
import { addGroup, addTargetOptions, common, locationOf } from "../options/options.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";
import { readExistingManifests } from "../run/catalog-directory.ts";
import { knownInCatalog, knownInManifests, unitedKnown } from "../run/known-entities.ts";

const schemas = {
  manifest: () => manifestSchema,
  settings: () => settingsSchema,
  plan: () => planSchema,
  report: () => reportSchema,
  failure: () => failureSchema,
  policy: expressionSchema,
  round: () => roundSchema,
} as const satisfies Readonly<Record<SchemaName, () => JsonObject>>;

interface Options extends TargetOptions {
  readonly fromCatalog?: true;
  readonly settings?: string;
  readonly env?: string;
}

/** Defines the command. It connects to a server only with `--from-catalog`, using a read-only client. */
export function schemaCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("schema")
    .addArgument(choiceArgument("[name]", "name of the schema", Object.keys(schemas)).default("manifest"))
    .argument("[dir]", `with --from-catalog: ${catalogHelp}`);
  addGroup(command, "Manifests:", [
    new Option(
      "--from-catalog",
      "include the ids from the catalog and the manifests, for completion in editors",
    ),
  ]);
  addTargetOptions(command);
  addGroup(command, "Scope:", [common.settings(), common.environment()]);
  addExamples(command, [
    ["Print the manifest schema without ids", "schema"],
    ["Save a schema that includes the ids from your catalog", "schema --from-catalog > schema.json"],
    ["Print the fields of `asset` in a policy's `check`", "schema policy"],
  ]);
  return command.action(async (name: keyof typeof schemas, dir: string | undefined, options: Options) => {
    io.stdout.write(jsonText(await schemaFor(name, dir, options, io)));
    done(exitCodes.done);
  });
}

async function schemaFor(
  name: keyof typeof schemas,
  dir: string | undefined,
  options: Options,
  io: Io,
): Promise<JsonObject> {
  if (options.fromCatalog === true && name === "manifest") return await schemaFromCatalog(dir, options, io);
  if (options.fromCatalog === true)
    throw new UsageError(`--from-catalog works only with the schema manifest, not with ${name}`);
  if (dir !== undefined) throw new UsageError("a catalog directory can only be used with --from-catalog");
  return schemas[name]();
}

async function schemaFromCatalog(dir: string | undefined, options: Options, io: Io): Promise<JsonObject> {
  const repository = await openRepository(locationOf(catalogFor(dir, options, io), options, io));
  const desired = await readExistingManifests(repository, io);
  const rules = { settings: repository.settings, writes: false };
  return await withTarget(options, rules, io, async ({ connection }) => {
    await checkServer(connection, io.interrupted);
    const inCatalog = await knownInCatalog(connection, io.interrupted);
    return manifestSchemaWith(unitedKnown([inCatalog, knownInManifests(desired)]));
  });
}
