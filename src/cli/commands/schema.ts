import { Argument, Command } from "commander";
import { manifestSchema } from "../../manifests/schema/manifest-schema.ts";
import { settingsSchema } from "../../manifests/schema/schema.ts";
import { failureSchema, planSchema, reportSchema } from "../../report/saved/schema.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { jsonText } from "../../report/json/pieces.ts";

const schemas = {
  manifest: manifestSchema,
  settings: settingsSchema,
  plan: planSchema,
  report: reportSchema,
  failure: failureSchema,
};

/** `schema`: prints a JSON Schema for editors and other programs. */
export function schemaCommand(io: Io, done: (code: ExitCode) => void): Command {
  return new Command("schema")
    .addArgument(
      new Argument("[name]", "name of the schema").choices(Object.keys(schemas)).default("manifest"),
    )
    .action((name: keyof typeof schemas) => {
      io.stdout.write(jsonText(schemas[name]));
      done(exitCodes.done);
    });
}
