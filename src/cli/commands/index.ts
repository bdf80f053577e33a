/** Lists all commands with their help entries, and loads only the commands that a command line needs. */

import { Command } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

type MakeCommand = (io: Io, done: (code: ExitCode) => void) => Command;

type Heading = keyof typeof headings;

const headings = {
  change: "Change the catalog:",
  look: "Inspect the catalog:",
  setUp: "Set up:",
  automate: "Run in CI or as a service:",
  other: "Other:",
} as const;

/** A command's entry in the program's help, and a function that loads the command. */
export interface ListedCommand {
  readonly name: string;
  readonly heading: Heading;
  readonly summary: string;
  /** Whether to hide the command from the help. Hidden commands are meant for scripts only. */
  readonly isHidden?: true;
  /** Whether loading the command requires loading all other commands. */
  readonly needsAll?: boolean;
  /** Loads the command on demand, so that the code of other commands is not loaded. */
  readonly load: () => Promise<MakeCommand>;
}

/** All commands in help order: grouped by heading, with everyday commands first. */
export const listedCommands: readonly ListedCommand[] = [
  {
    name: "plan",
    heading: "change",
    summary: "show what apply would change, without changing anything",
    load: async () => (await import("./plan.ts")).planCommand,
  },
  {
    name: "apply",
    heading: "change",
    summary: "show the plan, ask for approval and apply it",
    load: async () => (await import("./apply.ts")).applyCommand,
  },
  {
    name: "validate",
    heading: "change",
    summary: "check the manifests and settings, without a server",
    load: async () => (await import("./validate.ts")).validateCommand,
  },
  {
    name: "fmt",
    heading: "change",
    summary: "reorder fields and fix style, keeping data and comments",
    load: async () => (await import("./fmt.ts")).fmtCommand,
  },
  {
    name: "pull",
    heading: "change",
    summary: "update the manifests with values from the catalog",
    load: async () => (await import("./pull.ts")).pullCommand,
  },
  {
    name: "rollback",
    heading: "change",
    summary: "undo an apply, except for values that have changed since",
    load: async () => (await import("./rollback.ts")).rollbackCommand,
  },
  {
    name: "drift",
    heading: "look",
    summary: "show catalog changes that were made outside Git",
    load: async () => (await import("./drift.ts")).driftCommand,
  },
  {
    name: "list",
    heading: "look",
    summary: "list entities, such as those without an owner",
    load: async () => (await import("./list.ts")).listCommand,
  },
  {
    name: "explain",
    heading: "look",
    summary: "show where each value of an entity is declared, and which rules match",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  {
    name: "check",
    heading: "look",
    summary: "check the catalog against the policies",
    load: async () => (await import("./check.ts")).checkCommand,
  },
  {
    name: "coverage",
    heading: "look",
    summary: "show how complete asset metadata is, and how much is in Git",
    load: async () => (await import("./coverage.ts")).coverageCommand,
  },
  {
    name: "show",
    heading: "look",
    summary: "print a saved plan or report",
    load: async () => (await import("./show.ts")).showCommand,
  },
  {
    name: "get",
    heading: "look",
    summary: "print the stored aspects of an entity as JSON",
    load: async () => (await import("./get.ts")).getCommand,
  },
  {
    name: "init",
    heading: "setUp",
    summary: "set up a repository without overwriting existing files",
    load: async () => (await import("./init.ts")).initCommand,
  },
  {
    name: "export",
    heading: "setUp",
    summary: "write manifests for the catalog's content, or save a snapshot",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  {
    name: "import",
    heading: "setUp",
    summary: "convert DataHub's YAML files, such as a glossary, to manifests",
    load: async () => (await import("./import.ts")).importCommand,
  },
  {
    name: "doctor",
    heading: "setUp",
    summary: "check the setup and suggest fixes",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  {
    name: "completion",
    heading: "setUp",
    summary: "print a completion script for your shell",
    needsAll: true,
    load: async () => (await import("./completion.ts")).completionCommand,
  },
  {
    name: "schema",
    heading: "setUp",
    summary: "print a JSON Schema for editors and other programs",
    load: async () => (await import("./schema.ts")).schemaCommand,
  },
  {
    name: "watch",
    heading: "automate",
    summary: "run drift or apply repeatedly and report each round",
    load: async () => (await import("./watch.ts")).watchCommand,
  },
  {
    name: "github",
    heading: "automate",
    summary: "comment on pull requests, report drift and find reviewed plans",
    load: async () => (await import("./github.ts")).githubCommand,
  },
  {
    name: "runs",
    heading: "automate",
    summary: "list, show and push recorded applies",
    load: async () => (await import("./runs.ts")).runsCommand,
  },
  {
    name: "merge-plans",
    heading: "automate",
    summary: "merge the plans of all shards into one plan",
    load: async () => (await import("./merge-plans.ts")).mergePlansCommand,
  },
  {
    name: "demo",
    heading: "other",
    summary: "show plan, apply and drift on sample data, without a server",
    load: async () => (await import("./demo.ts")).demoCommand,
  },
  {
    name: "serve",
    heading: "other",
    summary: "run a local catalog with DataHub's API",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  {
    name: "user",
    heading: "other",
    summary: "create or update users from a file",
    load: async () => (await import("./upsert.ts")).userCommand,
  },
  {
    name: "group",
    heading: "other",
    summary: "create or update groups from a file",
    load: async () => (await import("./upsert.ts")).groupCommand,
  },
  {
    name: "complete",
    heading: "other",
    summary: "print ids from the manifests, for shell completion",
    isHidden: true,
    load: async () => (await import("./complete.ts")).completeCommand,
  },
];

/** Returns all commands. Loads only the commands on the command line. All other commands contain just their help texts. */
export async function commandsFor(
  argv: readonly string[],
  io: Io,
  done: (code: ExitCode) => void,
): Promise<readonly Command[]> {
  const needed = listedCommands.filter(({ name }) => argv.includes(name));
  const all = needed.some(({ needsAll }) => needsAll === true);
  return await Promise.all(
    listedCommands.map(async (listed) => {
      const isNeeded = all || needed.includes(listed);
      const command = isNeeded ? (await listed.load())(io, done) : new Command(listed.name);
      return command.description(listed.summary).helpGroup(headings[listed.heading]);
    }),
  );
}

/** Whether a command is hidden from the help. */
export function isHidden(command: Command): boolean {
  return listedCommands.some(({ name, isHidden: hidden }) => hidden === true && name === command.name());
}
