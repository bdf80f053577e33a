/** Mutations that add, change and remove links on entities. */

import type { JsonObject } from "../../../model/json.ts";
import { objectsAt } from "../../json.ts";
import { entityExists } from "../../store/aspect-write.ts";
import { badRequest } from "../errors.ts";
import type { RequestContext } from "../request-context.ts";
import { requireUrn, userStamp, type InputMutation } from "./mutation.ts";
import { writeAsUser } from "../write-as-user.ts";

interface RemoveLinkInput {
  readonly linkUrl: string;
  readonly label?: string | null;
  readonly resourceUrn: string;
}

interface LinkInput extends RemoveLinkInput {
  readonly label: string;
}

/** Adds a link to an entity. Fails if the entity already has a link with the same URL and label (AddLinkResolver.java). */
export const addLink: InputMutation<LinkInput> = ({ input }, context) => {
  const { urn, links } = read(input.resourceUrn, [input.linkUrl], context);
  refuseDuplicate(links, input);
  const link = { url: input.linkUrl, description: input.label, createStamp: userStamp(context) };
  writeAsUser(context, urn, "institutionalMemory", { elements: [...links, link] });
  return true;
};

type UpdateLinkInput = LinkInput & { readonly currentUrl: string; readonly currentLabel: string };

/** Replaces a link's URL and label, but keeps its position (UpdateLinkResolver.java). */
export const updateLink: InputMutation<UpdateLinkInput> = ({ input }, context) => {
  const { currentUrl, currentLabel, linkUrl, label } = input;
  const { urn, links } = read(input.resourceUrn, [currentUrl, linkUrl], context);
  const place = links.findIndex(isLink(currentUrl, currentLabel));
  const current = links[place];
  if (!current)
    throw badRequest(
      `Failed to update the link '${currentUrl}' with label '${currentLabel}'. The link does not exist`,
    );
  refuseDuplicate(links.toSpliced(place, 1), input);
  const link = { ...current, url: linkUrl, description: label, updateStamp: userStamp(context) };
  writeAsUser(context, urn, "institutionalMemory", { elements: links.with(place, link) });
  return true;
};

/**
 * Removes the links that have the given URL. If the input has a label, removes only links that also have this label. It is not an
 * error if no link matches (RemoveLinkResolver.java).
 */
export const removeLink: InputMutation<RemoveLinkInput> = ({ input }, context) => {
  const { urn, links } = read(input.resourceUrn, [input.linkUrl], context);
  const isRemoved = isLink(input.linkUrl, input.label ?? undefined);
  writeAsUser(context, urn, "institutionalMemory", { elements: links.filter((link) => !isRemoved(link)) });
  return true;
};

function read(resourceUrn: string, urls: readonly string[], { store }: RequestContext) {
  const urn = requireUrn(resourceUrn);
  const refuse = (reason: string): never => {
    throw badRequest(`Failed to change institutional memory for resource ${urn}. ${reason}`);
  };
  if (!urls.every(isUrl)) refuse("Expected an url.");
  if (!entityExists(store, urn)) refuse("Resource does not exist.");
  return { urn, links: objectsAt(store.latest(urn, "institutionalMemory")?.value, "elements") };
}

// Whether java.net.URL would accept this text.
function isUrl(text: string): boolean {
  return /^(?:https?|ftp|file|jar|mailto):/i.test(text.trim());
}

function isLink(url: string, label: string | undefined): (link: JsonObject) => boolean {
  return (link) => link["url"] === url && (label === undefined || link["description"] === label);
}

function refuseDuplicate(links: readonly JsonObject[], { linkUrl, label }: LinkInput): void {
  if (links.some(isLink(linkUrl, label)))
    throw badRequest(`The link '${linkUrl}' with label '${label}' already exists`);
}
