/** Defines the facet `links`: links from an asset to external documentation. */

import { assetKinds } from "../kinds/index.ts";
import { nonEmptyString } from "../model/identifier.ts";
import { isJsonObject, type Json, type JsonObject, textOf } from "../model/json.ts";
import type { ListEdit } from "../model/operation.ts";
import { malformed, aspectIn, storedList } from "../model/answer.ts";
import { editingProposal, mutation, setFacet } from "./build.ts";
import { featureOf } from "./capabilities.ts";
import type { Feature } from "./facet.ts";
import type { Parsing } from "./parsing.ts";

const aspect = "institutionalMemory";

type Link = Readonly<Record<"url" | "label", string>>;

/** The feature that allows several labels for the same URL, and updates of existing links. */
const byLabel: Feature = featureOf("link-labels", "a second label for the same URL");

const ofModelGroups: Feature = featureOf("model-group-links", "a link on an ML model group");

/**
 * Matches URLs with the schemes that java.net.URL supports. DataHub refuses other schemes, but only in mutations
 * (LinkUtils.java).
 */
const absolute = /^(?:https?|ftp|file|jar|mailto):\S+$/i;

/** The links of an asset. Each link has a URL and a label. */
export const links = setFacet<Link>({
  name: "links",
  kinds: assetKinds.map(({ name }) => name),
  schema: {
    type: "array",
    description: "Links to documentation and other pages: URLs with optional labels. `[]` means no links.",
    examples: [[{ url: "https://wiki.acme.com/invoices", label: "Runbook" }, "https://acme.com/model"], []],
    items: {
      if: { type: "object" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        type: "object",
        required: ["url"],
        properties: {
          url: {
            ...nonEmptyString,
            description: "The full URL of the page.",
            examples: ["https://wiki.acme.com/invoices"],
          },
          label: {
            ...nonEmptyString,
            description: "The link text. The default is the URL.",
            examples: ["Runbook"],
          },
        },
        additionalProperties: false,
      },
      else: nonEmptyString,
    },
  },
  privilege: { name: "EDIT_ENTITY_DOC_LINKS", title: "Edit Links" },
  readWhenDeclared: true,
  aspects: () => [aspect],
  storedIn: () => aspect,
  needs: (kind) => (kind === "MLModelGroup" ? ofModelGroups : undefined),
  alike: { ...byLabel, keyOf: (link) => (isJsonObject(link) ? textOf(link["url"]) : String(link)) },
  parse,
  written: ({ url, label }) => (label === url ? url : { url, label }),
  format: ({ url, label }) => (label === url ? [url] : [label, `(${url})`]).join(" "),
  observe: (aspects) => storedList(aspectIn(aspects, aspect)["elements"], "the links").map(linkIn),
  add: ({ urn }, added) =>
    added.map((link) => ({
      elements: [link],
      request: mutation("addLink", "AddLinkInput!", {
        linkUrl: link.url,
        label: link.label,
        resourceUrn: urn,
      }),
    })),
  // Before DataHub 1.4, `removeLink` does not accept a label. Without a label, it removes all links with the URL.
  remove: ({ urn }, removed) => [
    { elements: removed, request: editingProposal(urn, aspect, editOf([], removed)) },
  ],
  editing: { aspect: () => aspect, edits: (_place, added, removed) => [editOf(added, removed)] },
});

function parse(written: Json): Parsing<Link> {
  const { url, label } = isJsonObject(written) ? written : { url: written };
  const text = textOf(url);
  if (!absolute.test(text))
    return {
      refusal: { code: "malformed-url", args: { text }, at: isJsonObject(written) ? ["url"] : [] },
    };
  return { value: { url: text, label: label === undefined ? text : textOf(label) }, references: [] };
}

function linkIn({ url = "", description = "" }: JsonObject): Link {
  if (typeof url === "string" && typeof description === "string") return { url, label: description };
  throw malformed("a link", "has a URL or label that is not a string");
}

/**
 * Builds an edit that keeps the other fields of a link, such as its creation time. The aspect stores the label as `description`
 * (InstitutionalMemoryMetadata.pdl).
 */
function editOf(added: readonly Link[], removed: readonly Link[]): ListEdit {
  const patternOf = ({ url, label }: Link): JsonObject => ({ url, description: label });
  return {
    at: ["elements"],
    add: added.map((link) => ({ element: patternOf(link) })),
    remove: removed.map(patternOf),
    created: "createStamp",
  };
}
