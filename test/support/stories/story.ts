import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArchive, printArchive } from "./archive.ts";

/** The folder of the stories, each a file `<a-sentence>.txtar`. */
export const storyFolder = join(import.meta.dirname, "../../scenarios");

/** The parts that a run makes, in the order in which they are printed. */
const expectedParts = [
  "plan.txt",
  "problems.txt",
  "exit-code.txt",
  "plan.json",
  "complete-plan.json",
  "review.md",
  "drift.txt",
  "requests.txt",
  "after.txt",
] as const;

type ExpectedPart = (typeof expectedParts)[number];

/** The parts that a run makes, by name. */
export type Expected = Readonly<Partial<Record<ExpectedPart, string>>>;

/** One step of a story: what is committed, edited by hand and run. */
export interface Step {
  /** The manifests that differ from the step before, by path; an empty one is removed. */
  readonly catalog: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  /** A GraphQL document that somebody sends before the step. */
  readonly ui: string | undefined;
  readonly expected: Expected;
}

/** What a user sees, as a file: what is in the catalog, and steps. */
export interface Story {
  readonly live: string;
  readonly steps: readonly Step[];
  /** The text of the file with other expected parts, one record for each step. */
  readonly print: (expected: readonly Expected[]) => string;
}

/** The names of all stories. */
export const storyNames: readonly string[] = readdirSync(storyFolder)
  .toSorted()
  .map((file) => file.replace(/\.txtar$/, ""));

/** The story of that name. Throws on a part that is not known. */
export function readStory(name: string): Story {
  return storyOf(readFileSync(join(storyFolder, `${name}.txtar`), "utf8"));
}

/** The manifests in all stories, each with where it is. */
export function storyManifests(): readonly (readonly [place: string, text: string])[] {
  return storyNames.flatMap((name) =>
    readStory(name).steps.flatMap(({ catalog }, index) =>
      Object.entries(catalog).map(([path, text]) => [`${name}, step ${index + 1}, ${path}`, text] as const),
    ),
  );
}

/**
 * The story in a text. `live.yaml` is what the catalog contains. The parts of the second step are named `2/plan.txt`, those of the
 * first `plan.txt`.
 */
export function storyOf(text: string): Story {
  const { comment, parts } = parseArchive(text);
  const { "live.yaml": live = "", ...others } = Object.fromEntries(parts);
  const bySteps: Record<string, string>[] = [];
  for (const [name, content] of Object.entries(others)) {
    const [, number = "1", part = ""] = /^(?:([2-9])\/)?(.+)$/.exec(name) ?? [];
    if (!isInput(part) && !isExpected(part)) throw new Error(`no story has a part ${name}`);
    (bySteps[Number(number) - 1] ??= {})[part] = content;
  }
  const steps = Array.from(bySteps, (own: Readonly<Record<string, string>> | undefined, index) => {
    if (!own) throw new Error(`a later step than ${index + 1} has parts, and that one has none`);
    return own;
  });
  return {
    live,
    steps: steps.map(stepOf),
    print: (expected) => {
      const printed = steps.flatMap((own, index) => {
        const inputs = Object.entries(own).filter(([part]) => isInput(part));
        const made = expectedParts.flatMap((part) => {
          const content = expected[index]?.[part];
          return content === undefined ? [] : [[part, content] as const];
        });
        const prefix = index === 0 ? "" : `${index + 1}/`;
        return [...inputs, ...made].map(([part, content]) => [`${prefix}${part}`, content] as const);
      });
      return printArchive({ comment, parts: new Map([["live.yaml", live], ...printed]) });
    },
  };
}

function stepOf(parts: Readonly<Record<string, string>>): Step {
  const entries = Object.entries(parts);
  return {
    catalog: Object.fromEntries(entries.filter(([part]) => part.startsWith("catalog/"))),
    flags: (parts["flags"] ?? "").split(/\s+/).filter((flag) => flag !== ""),
    ui: parts["ui.graphql"],
    expected: Object.fromEntries(entries.filter(([part]) => isExpected(part))),
  };
}

function isInput(part: string): boolean {
  return part.startsWith("catalog/") || part === "flags" || part === "ui.graphql";
}

function isExpected(part: string): boolean {
  return expectedParts.some((each) => each === part);
}
