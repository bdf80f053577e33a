/** Parses plans and reports that were saved as JSON. */

export { parseSaved } from "../report/saved/saved-report.ts";
export type { SavedFault } from "../report/saved/saved-plan.ts";
