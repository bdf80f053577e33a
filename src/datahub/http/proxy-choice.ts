/** Chooses the proxy for a URL based on the environment, as curl does. */

import { BlockList, isIP } from "node:net";

/** Environment variables, keyed by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies that are configured in the environment. */
export interface ProxyChoice {
  /** Returns the proxy for a URL, or `undefined` if no proxy applies. */
  readonly proxyFor: (url: URL) => string | undefined;
  /** The variables that set a proxy, each with the proxy's URL. */
  readonly named: readonly (readonly [variable: string, address: string])[];
}

/**
 * Chooses the proxy from `HTTPS_PROXY` or `HTTP_PROXY`, depending on the scheme, or else from `ALL_PROXY`. No proxy is used if
 * `NO_PROXY` contains the host or `*`. An entry in `NO_PROXY` can be a domain (which includes its subdomains), an IP address or a
 * CIDR range, each with an optional port.
 */
export function proxyChoice(env: Environment): ProxyChoice {
  const [http, https, all] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => valueOf(env, name));
  const isExcluded = exclusions(valueOf(env, "NO_PROXY"));
  const proxyFor = (url: URL): string | undefined => {
    const proxy = (url.protocol === "https:" ? https : http) || all;
    return proxy && !isExcluded(url) ? addressOf(proxy) : undefined;
  };
  const isAllUsed = !http || !https;
  const named = Object.entries({
    HTTP_PROXY: http,
    HTTPS_PROXY: https,
    ...(isAllUsed && { ALL_PROXY: all }),
  });
  return {
    proxyFor,
    named: named.flatMap(([variable, value]) => (value ? [[variable, addressOf(value)] as const] : [])),
  };
}

/** Returns the value of a variable. The lowercase name takes precedence, as in other programs. */
function valueOf(env: Environment, name: string): string {
  return (env[name.toLowerCase()] ?? env[name] ?? "").trim();
}

/** Returns a proxy's URL. The default scheme is HTTP. */
function addressOf(proxy: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

/** Returns a function that tests whether `NO_PROXY` applies to a URL. */
function exclusions(list: string): (url: URL) => boolean {
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.includes("*")) return () => true;
  const tests = entries.map(exclusion);
  return (url) => {
    const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    return tests.some((test) => test(host, port));
  };
}

type Exclusion = (host: string, port: string) => boolean;

function exclusion(entry: string): Exclusion {
  const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const named = (bracketed ?? name ?? entry).toLowerCase();
  const isNamed = isIP(named.split("/")[0] ?? "") === 0 ? isBelow(named) : isInRange(named);
  return (host, urlPort) => (port === undefined || port === urlPort) && isNamed(host);
}

function isBelow(entry: string): (host: string) => boolean {
  const name = entry.replace(/^\*?\./, "");
  return (host) => host === name || host.endsWith(`.${name}`);
}

/** Returns a function that tests whether a host equals an IP address or is within a range. An invalid range contains no hosts. */
function isInRange(entry: string): (host: string) => boolean {
  const [address = "", length] = entry.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const range = new BlockList();
  const maxPrefix = family === "ipv6" ? 128 : 32;
  if (length === undefined) range.addAddress(address, family);
  else if (/^\d{1,3}$/.test(length) && Number(length) <= maxPrefix)
    range.addSubnet(address, Number(length), family);
  return (host) => {
    const version = isIP(host);
    return version !== 0 && range.check(host, version === 6 ? "ipv6" : "ipv4");
  };
}
