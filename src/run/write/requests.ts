import { appendTo } from "../../model/append.ts";
import { groupBy } from "../../model/group-by.ts";
import type { Operation } from "../../model/operation.ts";

/** The most characters of the arguments in a request: gateways refuse larger bodies, many from 1 MiB on. */
const mostCharacters = 500_000;

/**
 * Packs operations into requests: mutations of at most `size` and of half a million characters, each proposal by itself. The
 * mutations of one entity are in one request where they fit, else in requests that follow each other.
 */
export function requestsOf(
  operations: readonly Operation[],
  size: number,
): readonly (readonly Operation[])[] {
  const requests: (readonly Operation[])[] = [];
  let open = emptyPortion();
  for (const own of groupBy(operations, ({ locks }) => locks[0]).values()) {
    appendTo(
      requests,
      own.filter(isProposal).map((operation) => [operation]),
    );
    const portions = portionsOf(
      own.filter((operation) => !isProposal(operation)),
      size,
    );
    for (const [index, portion] of portions.entries()) {
      if (index === 0 && fits(open, portion, size)) join(open, portion);
      else {
        requests.push(open.operations);
        open = portion;
      }
    }
  }
  return [...requests, open.operations].filter((request) => request.length > 0);
}

/** Operations of one request, and how many characters their arguments have. */
interface Portion {
  readonly operations: Operation[];
  characters: number;
}

function emptyPortion(): Portion {
  return { operations: [], characters: 0 };
}

function portionsOf(operations: readonly Operation[], size: number): readonly Portion[] {
  const portions: Portion[] = [];
  for (const operation of operations) {
    const own = { operations: [operation], characters: JSON.stringify(operation.request).length };
    const last = portions.at(-1);
    if (last && fits(last, own, size)) join(last, own);
    else portions.push(own);
  }
  return portions;
}

function fits(one: Portion, other: Portion, size: number): boolean {
  return (
    one.operations.length + other.operations.length <= size &&
    one.characters + other.characters <= mostCharacters
  );
}

/** Puts the operations of a portion behind those of another one. */
function join(one: Portion, other: Portion): void {
  appendTo(one.operations, other.operations);
  one.characters += other.characters;
}

function isProposal({ request }: Operation): boolean {
  return request.type === "proposal";
}
