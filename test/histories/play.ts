import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  type Alteration,
  type Command,
  type CommitDraw,
  type Edit,
  type History,
  owners,
  world,
} from "./draws.ts";
import { type Content, type Document, kindOf, type Live, type Rule, type Settings } from "./model.ts";
import {
  applied,
  changedBetween,
  type Change,
  type Declared,
  declaredBy,
  declaredByAll,
  type Expected,
  isStale,
  leavesBehind,
  leavesOnGone,
  planOf,
  planOfPart,
  withoutStale,
  type Situation,
} from "./oracle.ts";
import { filesOf, type Site, withSite } from "./site.ts";

/** How often each kind of event came about, over all histories. */
export const events: Record<string, number> = {};

function count(event: string, times = 1): void {
  if (times > 0) events[event] = (events[event] ?? 0) + times;
}

// A repository without a document is refused.
const always: Document = { kind: "Tag", urn: world.theirs.tag, values: {} };

const [, ownerType = ""] = owners[0]?.split(" ") ?? [];

interface Commit {
  readonly sha: string;
  readonly parent?: Commit | undefined;
  readonly content: Content;
  readonly moved: ReadonlySet<string>;
}

/** Plays a history and compares each plan, each report and the catalog with what is expected. */
export async function play({ settings, existing, edits, first, steps }: History): Promise<void> {
  await withSite(existing, async (site) => {
    for (const edit of edits) await doEdit(site, edit);
    const player: Player = { site, settings };
    commit(player, { alterations: first, revertBy: 0, as: "commit", onBranch: [], isSloppy: false });
    for (const step of steps) {
      for (const edit of step.edits) await doEdit(site, edit);
      if (step.commit) commit(player, step.commit);
      await runCommand(player, step.command);
    }
    await runCommand(player, { name: "plan", prunes: true, meanwhile: [], allowsPartial: false });
  });
}

async function doEdit(site: Site, edit: Edit): Promise<void> {
  const done = await site.edit(edit);
  if (done !== undefined) count(done);
}

/** A site, and how far its history has come. */
interface Player {
  readonly site: Site;
  readonly settings: Settings;
  head?: Commit;
  applied?: Commit | undefined;
}

function commit(player: Player, drawn: CommitDraw): void {
  const { alterations, onBranch, revertBy, rule, isSloppy } = drawn;
  if (drawn.as === "reset" && player.head?.parent) {
    count("reset");
    player.head = player.head.parent;
    player.site.git("reset", "--quiet", "--hard", player.head.sha);
  }
  const from = player.head;
  let before = from;
  for (let back = revertBy; back > 0 && before?.parent; back -= 1) before = before.parent;
  if (before !== from) count("revert");
  const start = before ?? { content: { documents: { always }, rules: [] }, moved: new Set<string>() };
  const content = repaired(altered(start.content, alterations, rule), isSloppy);
  const moved = new Set(start.moved);
  for (const { file, isMoved } of alterations) {
    if (content.documents[file] && from?.content.documents[file] && moved.has(file) !== isMoved)
      count("file moved");
    if (isMoved) moved.add(file);
    else moved.delete(file);
  }
  count("commit");
  const isMerge = drawn.as === "merge" && from !== undefined;
  if (isMerge) {
    count("merge");
    player.site.git("checkout", "--quiet", "-B", "side");
    const aside = repaired(altered(from.content, onBranch, undefined), false);
    player.site.commit(filesOf(aside, player.settings, from.moved));
  }
  let sha = player.site.commit(filesOf(content, player.settings, moved));
  if (isMerge) {
    player.site.git("checkout", "--quiet", "-B", "main", from.sha);
    player.site.git("merge", "--quiet", "--no-ff", "--message", "merge", "side");
    sha = player.site.git("rev-parse", "HEAD");
  }
  player.head = { sha, parent: from, content, moved };
}

async function runCommand(player: Player, drawn: Command): Promise<void> {
  const command: Command = drawn.name === "drift" ? { ...drawn, prunes: false, conflicts: undefined } : drawn;
  const head = player.head;
  if (!head) throw new Error("nothing is committed");
  const part = command.part === "changed" && !head.parent ? undefined : command.part;
  const before = player.site.live();
  const situation = situationOf(player, head, before, command, part);
  const selected = part === undefined ? undefined : selectedBy(player, part, head, situation);
  const whole = planOf(situation);
  const expected = selected ? planOfPart(whole, selected, situation) : whole;
  const name = command.name === "saved" ? "plan" : command.name;
  const ran = await player.site.run(name, ...flagsOf(command, part), "--format", "json");
  const context = JSON.stringify({
    command,
    code: ran.code,
    stderr: ran.stderr,
    planned: plannedIn(ran.stdout),
    expected: { ...expected, changes: comparable(expected.changes) },
  });
  if (selected?.size === 0 && part !== "changed") {
    expect(ran.code, context).toBe(64);
    return count("nothing selected");
  }
  expect(ran.code, context).toBeOneOf(
    name === "drift" ? [...driftCodes(expected, command)] : [exitCode(expected, command)],
  );
  if (part !== undefined) count("part");
  if (expected.problems.length > 0) {
    count("refused");
    for (const { code } of expected.problems) count(`refused: ${code}`);
  } else {
    const document = JSON.parse(ran.stdout) as { plan?: PlanJson } & PlanJson;
    const plan = document.plan ?? document;
    expect(planned(plan), context).toEqual(comparable(expected.changes));
    const { summary } = plan;
    expect({ ...summary, heldBack: summary["heldBack"] ?? 0 }, context).toMatchObject(expected.summary);
    if (name !== "drift") await show(player, context);
    count(name);
    noteChanges(expected, situation.now);
  }
  if (name === "apply" && expected.problems.length === 0) {
    expect(sorted(player.site.live()), context).toEqual(sorted(applied(before, expected.changes)));
    moveRef(player, head, part, expected, situation);
    if (command.prunes) count("prune");
  } else expect(player.site.live(), context).toEqual(before);
  expect(player.site.applied(), context).toEqual(player.applied?.sha);
  if (command.name === "saved") await applySaved(player, command, part, expected, situation, context);
}

/** Applies the plan that was saved, after somebody has been at work. */
async function applySaved(
  player: Player,
  { meanwhile, allowsPartial, conflicts }: Command,
  part: string | undefined,
  expected: Expected,
  situation: Situation,
  context: string,
): Promise<void> {
  for (const edit of meanwhile) await doEdit(player.site, against(edit, expected.changes));
  const later = player.site.live();
  const pending = expected.changes.filter(({ isHeldBack }) => !isHeldBack);
  const stale = pending.filter((change) => isStale(change, situation, later));
  const ran = await player.site.run(
    "apply",
    "out.json",
    ...(allowsPartial ? ["--allow-partial"] : []),
    "--format",
    "json",
  );
  const story = `${JSON.stringify({ ...ran, stale: comparable(stale) })} ${context}`;
  count("saved plan");
  if (stale.length > 0) count("stale", stale.length);
  if (expected.problems.length > 0 || (stale.length > 0 && !allowsPartial)) {
    expect(ran.code, story).toBe(expected.problems.length > 0 ? 3 : 6);
    expect(player.site.live(), story).toEqual(later);
  } else {
    const held = (expected.summary["heldBack"] ?? 0) > 0 && conflicts !== "skip";
    expect(ran.code, story).toBe(held ? 6 : 0);
    // A deletion may come after what is stale.
    const rest = withoutStale(pending, stale, later);
    const fewer = stale.length > 0 ? rest.filter(({ action }) => action !== "delete") : rest;
    const either = [rest, fewer].map((changes) => sorted(applied(later, changes)));
    expect(either, story).toContainEqual(sorted(player.site.live()));
    if (stale.length === 0) moveRef(player, player.head, part, expected, situation);
    else count("applied without what is stale");
  }
  expect(player.site.applied(), story).toEqual(player.applied?.sha);
}

async function show(player: Player, context: string): Promise<void> {
  const shown = await player.site.run("show", "out.json", "--format", "json");
  expect(shown.code, `${shown.stderr} ${context}`).toBe(0);
  const written = readFileSync(join(player.site.root, "out.json"), "utf8");
  expect(JSON.parse(shown.stdout), context).toEqual(JSON.parse(written));
}

/** Notes that the ref moves, if it does after an apply without failures. */
function moveRef(
  player: Player,
  head: Commit | undefined,
  part: string | undefined,
  expected: Expected,
  situation: Situation,
): void {
  const isLeft = leavesBehind(situation);
  const isOnGone = isLeftOnGone(player, "merge", head, situation);
  if (part === undefined && isLeft) count("left behind");
  if (part === undefined && isOnGone) count("left on what is gone");
  const isComplete = part === undefined && expected.summary["heldBack"] === 0 && !isLeft && !isOnGone;
  // What is authoritative is taken away when it is there again, whether the ref has moved or not.
  const mayStay = isLeftOnGone(player, "authoritative", head, situation);
  if (mayStay && player.site.applied() === player.applied?.sha) return count("ref stayed");
  if (head && isComplete && isForward(player.applied, head)) {
    if (player.applied !== head) count("ref moved");
    player.applied = head;
  } else count("ref stayed");
}

function isLeftOnGone(
  player: Player,
  mode: "authoritative" | "merge",
  head: Commit | undefined,
  situation: Situation,
): boolean {
  const { live } = situation;
  const entities = [...live.entities].map(([urn, entity]) =>
    entity.kind === "Dataset"
      ? ([urn, { ...entity, isRemoved: false, columns: world.columns }] as const)
      : ([urn, entity] as const),
  );
  const all = { ...live, entities: new Map(entities) };
  const there = head && situationOf(player, head, all, { prunes: situation.prunes }, undefined);
  return there !== undefined && leavesOnGone(situation, there, mode);
}

function situationOf(
  player: Player,
  head: Commit,
  live: Live,
  { prunes, conflicts }: Pick<Command, "prunes" | "conflicts">,
  part: string | undefined,
): Situation {
  const settings = player.settings;
  const anchor = player.applied
    ? mergeBase(player.applied, head)
    : part === "changed"
      ? head.parent
      : undefined;
  const line: Commit[] = [];
  for (let at: Commit | undefined = anchor && head; at; at = at === anchor ? undefined : at.parent)
    line.push(at);
  const declared = line.map(({ content }) => declaredBy(content, live, settings));
  return {
    now: declaredBy(head.content, live, settings),
    before: anchor && declaredByAll(declared),
    live,
    settings,
    prunes,
    winner: conflicts === "force" ? "desired" : conflicts && "live",
  };
}

function selectedBy(
  player: Player,
  part: string,
  head: Commit,
  { now, before, live }: Situation,
): ReadonlySet<string> {
  const all = [...now.entities.keys(), ...(before?.entities.keys() ?? [])];
  if (part !== "changed") {
    const pattern = new RegExp(`^${part.replaceAll(/[()]/g, String.raw`\$&`).replaceAll("*", ".*")}$`);
    return new Set(all.filter((urn) => pattern.test(urn)));
  }
  const since = declaredBy(head.parent?.content ?? head.content, live, player.settings);
  return changedBetween(now, since);
}

function noteChanges({ changes, summary }: Expected, { places }: Declared): void {
  for (const [figure, value] of Object.entries(summary)) count(figure, value);
  const members = changes.filter(({ place }) => place.endsWith(" members"));
  count("membership from the group", members.filter(({ place }) => places.has(place)).length);
  count("membership from the user", members.filter(({ place }) => !places.has(place)).length);
  count("restored", changes.filter(({ place }) => place.endsWith(" removed")).length);
}

function flagsOf({ name, prunes, conflicts }: Command, part: string | undefined): readonly string[] {
  const of = { apply: ["--auto-approve", "--report", "out.json"], plan: ["--out", "out.json"], drift: [] };
  return [
    ...of[name === "saved" ? "plan" : name],
    ...(prunes ? ["--prune"] : []),
    ...(part === undefined ? [] : part === "changed" ? ["--changed-since", "HEAD~1"] : ["--target", part]),
    ...(conflicts ? [`--${conflicts}-conflicts`] : []),
  ];
}

/** An edit that meets the change of a plan, where one is to. */
function against(edit: Edit, changes: readonly Change[]): Edit {
  if (edit.type !== "against") return edit;
  const { action, urn, place, add, remove } = changes[edit.nth % Math.max(changes.length, 1)] ?? {};
  const [asset = ""] = world.datasets;
  if (urn === undefined || place === undefined) return { type: "take", nth: edit.nth };
  if (action !== "delete") {
    const [, facet = ""] = place.split(" ");
    const others: Readonly<Record<string, string>> = {
      owners: `${world.theirs.user} ${ownerType}`,
      members: world.theirs.user,
      domain: world.theirs.domain,
      title: "theirs",
      description: "theirs",
    };
    const value = remove?.[0] ?? add?.[0] ?? "";
    if (["name", "removed", "parent_domain"].includes(facet)) return { type: "take", nth: edit.nth };
    if (edit.nth % 3 === 0) return { type: "put", place, value: others[facet] ?? world.theirs.tag };
    return remove?.length ? { type: "takeAt", place, value } : { type: "put", place, value };
  }
  if (edit.nth % 3 === 0) return { type: "put", place: `${urn} description`, value: "theirs" };
  if (kindOf(urn) === "Group") return { type: "put", place: `${urn} members`, value: world.theirs.user };
  if (kindOf(urn) === "User") return { type: "put", place: `${asset} owners`, value: `${urn} ${ownerType}` };
  return { type: "put", place: `${asset} ${kindOf(urn) === "Tag" ? "tags" : "domain"}`, value: urn };
}

/** What is pending is no drift. */
function driftCodes(expected: Expected, command: Command): readonly number[] {
  const code = exitCode(expected, command);
  if (code === 3 || expected.changes.length === 0) return [code];
  return code === 6 ? [2] : [0, 2];
}

function exitCode({ problems, summary }: Expected, { conflicts }: Command): number {
  if (problems.length > 0) return 3;
  return (summary["heldBack"] ?? 0) > 0 && conflicts !== "skip" ? 6 : 0;
}

function isForward(from: Commit | undefined, to: Commit): boolean {
  return from === undefined || mergeBase(from, to) === from;
}

/** The latest commit that both come from. Commits on branches were never applied. */
function mergeBase(one: Commit, other: Commit): Commit | undefined {
  const line = new Set<Commit>();
  for (let at: Commit | undefined = one; at; at = at.parent) line.add(at);
  for (let at: Commit | undefined = other; at; at = at.parent) if (line.has(at)) return at;
  return undefined;
}

function altered(content: Content, alterations: readonly Alteration[], rule: CommitDraw["rule"]): Content {
  const documents: Record<string, Document> = { ...content.documents };
  for (const { file, document } of alterations) {
    if (document) documents[file] = document;
    else delete documents[file];
  }
  const rules: Rule[] = content.rules.filter(({ id }) => id !== rule?.id);
  return { documents, rules: rule?.rule ? [...rules, rule.rule] : rules };
}

/** A content that `validate` takes: both ends of a membership agree, and a reference is to what is declared or of others. */
function repaired({ documents, rules }: Content, isSloppy: boolean): Content {
  const all = Object.values(documents);
  const declared = new Set([...all.map(({ urn }) => urn), ...world.datasets, ...Object.values(world.theirs)]);
  const inline = new Set<string>();
  const inlined = all.map((document): Document => {
    const own = Object.entries(document.inline ?? {}).filter(
      ([user]) =>
        document.values["members"]?.includes(user) === true && !declared.has(user) && !inline.has(user),
    );
    for (const [user] of own) inline.add(user);
    return { ...document, inline: Object.fromEntries(own) };
  });
  for (const user of inline) declared.add(user);
  const isFine = (value: string): boolean =>
    isSloppy || value.split(" ").every((text) => kindOf(text) === undefined || declared.has(text));
  const repair = (values: Document["values"]): Document["values"] =>
    Object.fromEntries(Object.entries(values).map(([facet, list]) => [facet, list.filter(isFine)]));
  const sound = inlined.map((document): Document => ({ ...document, values: repair(document.values) }));
  const members = new Map(
    sound.flatMap(({ urn, values }) => (values["members"] ? [[urn, values["members"]] as const] : [])),
  );
  const agreeing = sound.map((document): Document => {
    const groups = document.values["groups"];
    if (!groups) return document;
    const listed = [...members].flatMap(([group, users]) => (users.includes(document.urn) ? [group] : []));
    const own = groups.filter((group) => !members.has(group));
    return { ...document, values: { ...document.values, groups: [...own, ...listed] } };
  });
  return {
    documents: Object.fromEntries(Object.keys(documents).map((file, at) => [file, agreeing[at] as Document])),
    rules: rules.map((rule) => ({ ...rule, values: repair(rule.values) })),
  };
}

interface PlanJson {
  readonly summary: Readonly<Record<string, number>>;
  readonly changes: readonly ChangeJson[];
  readonly problems?: readonly unknown[];
}

interface ChangeJson {
  readonly action: string;
  readonly urn: string;
  readonly facet?: string;
  readonly column?: string;
  readonly add?: readonly ValueJson[];
  readonly remove?: readonly ValueJson[];
  readonly before?: ValueJson | null;
  readonly after?: ValueJson | null;
  readonly conflict?: { readonly winner?: string };
}

type ValueJson = string | boolean | { readonly owner: string; readonly type: string };

/** The changes of a plan, in the form in which those that are expected are compared. */
function planned({ changes }: PlanJson): readonly object[] {
  return changes
    .map(({ action, urn, facet, column, add = [], remove = [], before = null, after = null, conflict }) => ({
      action,
      place: [urn, ...(facet === undefined ? [] : [facet]), ...(column === undefined ? [] : [column])].join(
        " ",
      ),
      add: [...add, ...(after === null ? [] : [after])].map(textOf).toSorted(),
      remove: [...remove, ...(before === null ? [] : [before])].map(textOf).toSorted(),
      isHeldBack: conflict !== undefined && conflict.winner !== "desired",
    }))
    .toSorted(byPlace);
}

function plannedIn(stdout: string): unknown {
  try {
    const document = JSON.parse(stdout) as { plan?: PlanJson } & PlanJson;
    const plan = document.plan ?? document;
    return { changes: planned(plan), summary: plan.summary, problems: plan.problems };
  } catch {
    return stdout;
  }
}

function textOf(value: ValueJson): string {
  return typeof value === "object" ? `${value.owner} ${value.type}` : String(value);
}

function comparable(changes: readonly Change[]): readonly object[] {
  return changes
    .map(({ action, place, add, remove, isHeldBack }) => ({
      action,
      place,
      add: add.toSorted(),
      remove: remove.toSorted(),
      isHeldBack,
    }))
    .toSorted(byPlace);
}

function byPlace(a: { readonly place: string }, b: { readonly place: string }): number {
  return a.place < b.place ? -1 : 1;
}

function sorted({ entities, values }: Live): object {
  const lists = [...values].map(([place, found]) => [place, [...found].toSorted()] as const);
  const there = [...entities].map(([urn, { kind, isRemoved }]) => [urn, { kind, isRemoved }] as const);
  return { entities: Object.fromEntries(there), values: Object.fromEntries(lists) };
}
