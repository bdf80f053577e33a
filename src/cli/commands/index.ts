/** Lists all commands with their entries in the help, and loads only those that a command line needs. */

import { Command, Help } from "commander";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";

type MakeCommand = (io: Io, done: (code: ExitCode) => void) => Command;

/** An entry of the program's help, and how to load its command. */
export interface ListedCommand {
  readonly name: string;
  /** The options and arguments after the name in the list. */
  readonly usage?: string;
  readonly summary: string;
  /** Whether the help does not list the command, because only scripts start it. */
  readonly isHidden?: true;
  /** Whether the command needs all other commands to be loaded. */
  readonly needsAll?: boolean;
  /** Loads the command, so that a run loads only the code that it needs. */
  readonly load: () => Promise<MakeCommand>;
}

/** The commands, in the order of the help. */
export const listedCommands: readonly ListedCommand[] = [
  {
    name: "init",
    usage: "[options] [dir]",
    summary: "set up a repository of manifests for a catalog; existing files stay as they are",
    load: async () => (await import("./init.ts")).initCommand,
  },
  {
    name: "validate",
    usage: "[options] [dir]",
    summary: "check the manifests and settings, without a server",
    load: async () => (await import("./validate.ts")).validateCommand,
  },
  {
    name: "fmt",
    usage: "[options] [dir]",
    summary: "format the manifests: order of fields, style; data and comments stay",
    load: async () => (await import("./fmt.ts")).fmtCommand,
  },
  {
    name: "plan",
    usage: "[options] [dir]",
    summary: "show what apply would change, without changing anything",
    load: async () => (await import("./plan.ts")).planCommand,
  },
  {
    name: "apply",
    usage: "[options] [path]",
    summary: "show the plan, ask for approval, and apply it",
    load: async () => (await import("./apply.ts")).applyCommand,
  },
  {
    name: "drift",
    usage: "[options] [dir]",
    summary: "show what others changed in the catalog, without changing anything",
    load: async () => (await import("./drift.ts")).driftCommand,
  },
  {
    name: "watch",
    usage: "[options] [dir]",
    summary: "run drift, or apply, again and again, and tell of each round",
    load: async () => (await import("./watch.ts")).watchCommand,
  },
  {
    name: "check",
    usage: "[options] [dir]",
    summary: "judge the catalog by the policies, without changing anything",
    load: async () => (await import("./check.ts")).checkCommand,
  },
  {
    name: "export",
    usage: "[options] [dir]",
    summary: "write manifests that declare what is in the catalog, one file for each entity",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  {
    name: "import",
    usage: "[options] <file...>",
    summary: "write manifests for DataHub's own files of a glossary, structured properties or a data product",
    load: async () => (await import("./import.ts")).importCommand,
  },
  {
    name: "pull",
    usage: "[options] [dir]",
    summary: "write the values of the catalog into the manifests that declare them",
    load: async () => (await import("./pull.ts")).pullCommand,
  },
  {
    name: "explain",
    usage: "[options] <entity> [dir]",
    summary: "show what is declared of an entity and where, what the catalog holds, and which rules match",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  {
    name: "list",
    usage: "[options] [dir]",
    summary: "list entities of the catalog, such as those without an owner",
    load: async () => (await import("./list.ts")).listCommand,
  },
  {
    name: "coverage",
    usage: "[options] [dir]",
    summary: "count how many assets have values, and are declared",
    load: async () => (await import("./coverage.ts")).coverageCommand,
  },
  {
    name: "show",
    usage: "[options] <file.json>",
    summary: "print a plan saved with plan --out, or a report saved with --report",
    load: async () => (await import("./show.ts")).showCommand,
  },
  {
    name: "runs",
    summary: "list the applies that are kept in the repository, and show one",
    load: async () => (await import("./runs.ts")).runsCommand,
  },
  {
    name: "rollback",
    usage: "[options] <run> [dir]",
    summary: "put back what an apply changed or removed, where it is still as the apply left it",
    load: async () => (await import("./rollback.ts")).rollbackCommand,
  },
  {
    name: "merge-plans",
    usage: "[options] <file...>",
    summary: "join the plans of all shards, saved with plan --shard --out, into one plan",
    load: async () => (await import("./merge-plans.ts")).mergePlansCommand,
  },
  {
    name: "get",
    usage: "[options]",
    summary: "print the stored aspects of an entity as JSON",
    load: async () => (await import("./get.ts")).getCommand,
  },
  {
    name: "user",
    summary: "create or update users",
    load: async () => (await import("./upsert.ts")).userCommand,
  },
  {
    name: "group",
    summary: "create or update groups",
    load: async () => (await import("./upsert.ts")).groupCommand,
  },
  {
    name: "doctor",
    usage: "[options] [dir]",
    summary: "check settings, repository, server, token and workflows, and say what to do",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
  {
    name: "github",
    summary: "comment on a pull request, keep an issue about drift, find a reviewed plan",
    load: async () => (await import("./github.ts")).githubCommand,
  },
  {
    name: "serve",
    usage: "[options]",
    summary: "run a local catalog that serves DataHub's API",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  {
    name: "demo",
    usage: "[options]",
    summary: "run a demonstration on sample data, in a temporary local catalog",
    load: async () => (await import("./demo.ts")).demoCommand,
  },
  {
    name: "schema",
    usage: "[options] [name] [dir]",
    summary: "print a JSON Schema for editors and other programs",
    load: async () => (await import("./schema.ts")).schemaCommand,
  },
  {
    name: "completion",
    usage: "<shell>",
    summary: "print a script that completes commands, options and paths in a shell",
    needsAll: true,
    load: async () => (await import("./completion.ts")).completionCommand,
  },
  {
    name: "complete",
    usage: "<type>",
    summary: "print ids in the manifests, for a shell that completes one",
    isHidden: true,
    load: async () => (await import("./complete.ts")).completeCommand,
  },
];

/** The commands for a command line. Only commands that it names are loaded. The others have only their help line. */
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
      return command.description(listed.summary);
    }),
  );
}

/** Whether the help does not list a command. */
export function isHidden(command: Command): boolean {
  return listedCommands.some(({ name, isHidden: hidden }) => hidden === true && name === command.name());
}

/** The term of a command in the program's help, whether the command is loaded or not. */
export function termOf(command: Command): string {
  const listed = listedCommands.find(({ name }) => name === command.name());
  if (!listed) return new Help().subcommandTerm(command);
  return listed.usage === undefined ? listed.name : `${listed.name} ${listed.usage}`;
}
