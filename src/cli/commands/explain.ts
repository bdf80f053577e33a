/**
 * Defines the command `explain`, which shows where an entity's values are declared, and which rules and policies match the
 * entity.
 */

import { Command } from "commander";
import { pastRuns } from "../run/past-runs.ts";
import { explain, type Explained, explainSnapshot } from "../../workflow/explain/explain.ts";
import { type NamedEntities, entitiesNamed, entitiesNamedIn } from "../../workflow/explain/named-entities.ts";
import { renderExplanation } from "../../workflow/render.ts";
import { kindOfUrn, kinds } from "../../kinds/index.ts";
import type { Explanation } from "../../model/explanation.ts";
import { isUrn, parseUrn, type Urn } from "../../model/urn.ts";
import type { ExplanationFormat } from "../../report/format.ts";
import { openRepository } from "../../workflow/scope/repository.ts";
import { nearestSpelling } from "../../model/text/suggestion.ts";
import { InputError, UsageError } from "../errors.ts";
import { exitCodes, type ExitCode } from "../exit-code.ts";
import { hasColor, type Io } from "../io.ts";
import { catalogFor, catalogHelp } from "../options/catalog.ts";
import { addExamples } from "../options/examples.ts";
import { addGroup, addTargetOptions, common, locationOf, snapshotOption } from "../options/options.ts";
import { type TargetOptions, withTarget } from "../options/target.ts";
import { print } from "../output/print.ts";
import { showProblems } from "../output/show-problems.ts";
import { createdAt } from "../created-at.ts";
import { type PlanOptions, scopeFor } from "../run/plan-run.ts";
import { noteAge, readSnapshot } from "../run/snapshot.ts";

/** Defines the command, which uses a read-only client. */
export function explainCommand(io: Io, done: (code: ExitCode) => void): Command {
  const command = new Command("explain")
    .argument("<entity>", "URN of the entity, or a unique name or id")
    .argument("[dir]", catalogHelp)
    .option("--column <name>", "explain only this column, given by name or full path")
    .addOption(snapshotOption());
  addTargetOptions(command);
  addGroup(command, "Scope:", [common.settings(), common.environment(), common.base()]);
  addGroup(command, "Output:", [common.shortFormat(), common.pager(), common.quiet()]);
  addExamples(command, [
    ["Explain an entity by id or name", "explain noah.fischer"],
    ["Explain an entity by URN", "explain urn:li:tag:pii"],
    ["Explain one column", "explain shop.public.orders --column id"],
  ]);
  return command.action(async (entity: string, dir: string | undefined, options: ExplainOptions) => {
    done(await runExplain({ entity, dir: catalogFor(dir, options, io), options }, io));
  });
}

interface ExplainOptions
  extends TargetOptions, Pick<PlanOptions, "settings" | "env" | "base" | "quiet" | "pager"> {
  readonly column?: string;
  readonly snapshot?: string;
  readonly format: ExplanationFormat;
}

interface ExplainRequest {
  /** A URN, or a unique name or id. */
  readonly entity: string;
  readonly dir: string;
  readonly options: ExplainOptions;
}

/**
 * Prints the explanation. Throws `UsageError` if the URN cannot be declared or the name is unknown or ambiguous, and `InputError`
 * if the entity or column does not exist.
 */
async function runExplain(request: ExplainRequest, io: Io): Promise<ExitCode> {
  const explanation = await explanationOf(request, io);
  const { format } = request.options;
  const view = { cwd: io.cwd, color: hasColor(io.stdout, io.env) };
  const text = renderExplanation(explanation, format, view);
  await print(() => [text], request.options, io);
  if (format === "text") showProblems(explanation, io);
  return exitCodes.done;
}

function urnIn(text: string): Urn {
  const parsed = parseUrn(text);
  if ("fault" in parsed)
    throw new UsageError(
      `${JSON.stringify(text)} is not a valid URN; use a URN such as urn:li:corpuser:alice@acme.com`,
    );
  if (kindOfUrn(parsed.urn)) return parsed.urn;
  const known = kinds.map(({ entityType }) => `urn:li:${entityType}:…`);
  throw new UsageError(`manifests cannot declare entities like ${text}; explain accepts ${known.join(", ")}`);
}

async function explanationOf({ entity, dir, options }: ExplainRequest, io: Io): Promise<Explanation> {
  const given = isUrn(entity) ? urnIn(entity) : undefined;
  const repository = await openRepository(locationOf(dir, options, io));
  const scope = await scopeFor({ dir, options, writes: false }, repository, io);
  const signal = io.interrupted;
  const shared = { createdAt: createdAt(io), column: options.column, signal };
  if (options.snapshot !== undefined) {
    const snapshot = readSnapshot(options.snapshot, io);
    noteAge(snapshot, options, io);
    const urn = given ?? onlyOne(entity, await entitiesNamedIn(snapshot, entity, scope, { signal }));
    return foundIn(await explainSnapshot(scope, snapshot, urn, shared), urn, options);
  }
  const rules = { settings: repository.settings, writes: false };
  return await withTarget(options, rules, io, async ({ connection, name }) => {
    const urn = given ?? onlyOne(entity, await entitiesNamed(entity, scope, connection, { signal }));
    const explained = await explain(scope, connection, urn, {
      ...shared,
      target: name,
      pastRuns: () => pastRuns(repository, { server: name, base: scope.git.base }, io),
    });
    return foundIn(explained, urn, options);
  });
}

/** Returns the only entity with the given name. Throws `UsageError` if no entity or more than one entity has the name. */
function onlyOne(name: string, { urns, suggestion }: NamedEntities): Urn {
  const [only, ...others] = urns;
  if (only === undefined) {
    const hint = suggestion === undefined ? "; use its URN" : `; did you mean ${suggestion}?`;
    throw new UsageError(`no entity has the name or id ${JSON.stringify(name)}${hint}`);
  }
  if (others.length === 0) return only;
  throw new UsageError(
    `${JSON.stringify(name)} is the name or id of ${urns.length} entities; use one of their URNs: ${urns.join(" or ")}`,
  );
}

function foundIn(explained: Explained, urn: Urn, { column = "" }: ExplainOptions): Explanation {
  if ("explanation" in explained) return explained.explanation;
  throw new InputError(`${urn} ${faultText(explained, column)}`, "not-found");
}

function faultText(
  explained: Exclude<Explained, { readonly explanation: Explanation }>,
  column: string,
): string {
  if (!("candidates" in explained))
    return explained.fault === "absent" ? "is not in the catalog" : "is soft-deleted in the catalog";
  const { candidates } = explained;
  if (explained.fault === "several-columns")
    return `has several columns named ${column}; use one of their full paths: ${candidates.join(" or ")}`;
  const meant = nearestSpelling(column, candidates);
  if (meant !== undefined) return `has no column ${column}; did you mean ${meant}?`;
  return `has no column ${column}${candidates.length === 0 ? "; the catalog has no columns for this entity" : ""}`;
}
