import { chunks, groupBy } from "../../model/group-by.ts";
import type { Operation } from "../../model/operation.ts";

/**
 * Packs operations into requests: mutations of at most `size`, each proposal by itself. The mutations of one entity are in
 * one request where they fit, else in requests that follow each other.
 */
export function requestsOf(
  operations: readonly Operation[],
  size: number,
): readonly (readonly Operation[])[] {
  const requests: Operation[][] = [];
  let open: Operation[] = [];
  for (const own of groupBy(operations, ({ locks }) => locks[0]).values()) {
    requests.push(...own.filter(isProposal).map((operation) => [operation]));
    const mutations = own.filter((operation) => !isProposal(operation));
    if (open.length > 0 && open.length + mutations.length > size) {
      requests.push(open);
      open = [];
    }
    const whole = chunks(mutations, size);
    requests.push(...whole.slice(0, -1).map((some) => [...some]));
    open.push(...(whole.at(-1) ?? []));
  }
  return open.length > 0 ? [...requests, open] : requests;
}

function isProposal({ request }: Operation): boolean {
  return request.type === "proposal";
}
