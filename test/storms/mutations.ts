import fc from "fast-check";

/** An answer of a server. */
interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What becomes of an answer; `undefined` is a connection that breaks off. */
export type Mutation = (answer: RawAnswer) => RawAnswer | undefined;

type Node = Readonly<Record<string, unknown>> | readonly unknown[];

const text = "\u001b[2J::error::<b>x</b>\u202e";
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const html = "<html><body>Sign in</body></html>";

/** Values that stand where another type belongs. A marker becomes JSON that is nested too deep to be built here. */
const misfits: readonly unknown[] = [
  text,
  "",
  7,
  -1.5,
  true,
  [],
  {},
  [null],
  ["x"],
  { a: 1 },
  "x".repeat(200_000),
];

const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/**
 * Mutations of shapes. None makes up a value that only the server can know: what is replaced gets another type, and only
 * entities are dropped, moved, repeated or renamed.
 */
export function mutations(token: string): fc.Arbitrary<readonly [name: string, mutate: Mutation]> {
  const echo = `denied: Bearer ${token} (token ${token})`;
  const refusal = { message: echo, errors: [{ message: echo, extensions: { code: 403 } }] };
  const named = (name: string, mutate: Mutation): fc.Arbitrary<readonly [string, Mutation]> =>
    fc.constant([name, mutate]);
  return fc.oneof(
    share.map(
      (at) =>
        ["truncated", (it: RawAnswer) => ({ ...it, body: it.body.slice(0, it.body.length * at) })] as const,
    ),
    named("reset", () => undefined),
    named("HTML", (it) => ({ ...it, type: "text/html", body: html })),
    named("HTML as JSON", (it) => ({ ...it, body: html })),
    named("empty", (it) => ({ ...it, body: "" })),
    named("text", (it) => ({ ...it, type: "text/plain" })),
    fc
      .constantFrom(204, 301, 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503)
      .map((status) => [`HTTP ${status}`, (it: RawAnswer) => ({ ...it, status })] as const),
    fc
      .constantFrom(200, 400, 403, 422, 500)
      .map(
        (status) =>
          [`echo ${status}`, (it: RawAnswer) => ({ ...it, status, body: JSON.stringify(refusal) })] as const,
      ),
    fc
      .tuple(share, share)
      .map(([at, of]) => ["deep", onJson((json) => replaced(json, at, of, () => "@deep"))] as const),
    fc
      .tuple(share, share, fc.constantFrom(...misfits))
      .map(
        ([at, of, misfit]) =>
          [
            `type ${JSON.stringify(misfit).slice(0, 20)}`,
            onJson((json) =>
              replaced(json, at, of, (value) => (typeOf(value) === typeOf(misfit) ? value : misfit)),
            ),
          ] as const,
      ),
    fc
      .tuple(fc.constantFrom("drop", "repeat", "reverse", "rename", "null"), share)
      .map(([way, at]) => [`${way} entities`, onJson((json) => withEntities(json, way, at))] as const),
    fc
      .constantFrom<unknown>(
        7,
        "no",
        {},
        [7],
        [null],
        [{ message: 7 }],
        [{ message: { a: echo }, path: 7 }],
        [{ message: echo, path: ["entities", 0], extensions: "x" }],
      )
      .map(
        (errors) =>
          [
            `errors ${JSON.stringify(errors).slice(0, 30)}`,
            onJson((json) => (isObject(json) ? { ...json, errors } : json)),
          ] as const,
      ),
  );
}

function onJson(change: (json: unknown) => unknown): Mutation {
  return (answer) => {
    try {
      const body = JSON.stringify(change(JSON.parse(answer.body))).replaceAll('"@deep"', deep);
      return { ...answer, body: body.replaceAll(String.raw`\"@deep\"`, deep) };
    } catch {
      return { ...answer, body: "" };
    }
  };
}

/** A value in which one place, a share `at` of the way through, is another one; places in JSON texts count, too. */
function replaced(json: unknown, at: number, of: number, change: (value: unknown) => unknown): unknown {
  if (typeof json === "string" && /^[{[]/.test(json) && of < 0.8) {
    return JSON.stringify(replaced(JSON.parse(json), at, of / 0.8, change));
  }
  if (!isNode(json) || Object.keys(json).length === 0) return change(json);
  const keys = Object.keys(json);
  const place = at * keys.length;
  const key = keys[Math.floor(place)] ?? "";
  const rest = place - Math.floor(place);
  const inside: unknown = (json as Readonly<Record<string, unknown>>)[key];
  const next = of < 0.1 ? change(inside) : replaced(inside, rest, (of - 0.1) / 0.9, change);
  if (Array.isArray(json)) return json.map((value: unknown, index) => (index === Number(key) ? next : value));
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, name === key ? next : value]));
}

/** An answer whose entities are other ones, or in another order. */
function withEntities(json: unknown, way: string, at: number): unknown {
  if (Array.isArray(json)) return changedList(json, way, at);
  if (!isObject(json) || !isObject(json["data"])) return json;
  const { entities } = json["data"];
  if (!Array.isArray(entities)) return json;
  return { ...json, data: { ...json["data"], entities: changedList(entities, way, at) } };
}

function changedList(list: readonly unknown[], way: string, at: number): readonly unknown[] {
  const place = Math.floor(at * list.length);
  if (way === "reverse") return list.toReversed();
  return list.flatMap((each, index) => {
    if (index !== place) return [each];
    if (way === "drop") return [];
    if (way === "repeat") return [each, each];
    if (way === "null") return [null];
    return [isObject(each) ? { ...each, urn: "urn:li:tag:stranger" } : each];
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isNode(value) && !Array.isArray(value);
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
