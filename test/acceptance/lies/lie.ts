import type { Json } from "../../../src/model/json.ts";
import type { Asked } from "./request.ts";

/** What is done with a request: it is passed on as `forward` says, not at all where that is missing, and `answer` makes what is told of what was answered. */
interface Dealing {
  readonly forward?: Json | undefined;
  answer(answered: Json | undefined): Json | undefined;
}

/** How a server lies in one operation. */
export interface Lie {
  /** The row of the acceptance that must fail. */
  readonly operation: string;
  readonly what: string;
  /** What is done with a request; `undefined` of one that is passed on as it is. */
  deal(asked: Asked): Dealing | undefined;
}
