import { textOf } from "../model/json.ts";
import { type Kind, textSchema, urnOfId } from "./kind.ts";

export const container: Kind = {
  name: "Container",
  plural: "containers",
  entityType: "container",
  typename: "Container",
  lifecycle: "observed",
  fields: { urn: { ...textSchema, description: "The full URN, `urn:li:container:…`." } },
  constraints: { required: ["urn"] },
  urnOf: (document) => urnOfId("container", textOf(document["urn"])),
  initial: () => ({}),
  identityFields: ["urn"],
};
