import type { Operation } from "../../model/operation.ts";

/** Whether an operation deletes an entity. */
export function isDeletion({ changes }: Pick<Operation, "changes">): boolean {
  return changes.some(({ action }) => action === "delete");
}
