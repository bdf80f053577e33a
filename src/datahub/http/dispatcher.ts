/** Chooses the proxy and the client certificate for requests, based on the environment. */

import { readRegularFile } from "../../files/read-file.ts";
import { type Environment, type ProxyChoice, proxyChoice } from "./proxy-choice.ts";
import { errorMessage } from "../../model/text/error-text.ts";

/** Sends requests for `fetch`, like undici's `Dispatcher`. Using undici's type here would require users to install undici. */
export interface Dispatcher {
  dispatch(options: never, handler: never): boolean;
  /** Returns the host of the proxy for a URL, without a user name or password. */
  readonly proxyOf?: (address: string) => string | undefined;
}

/**
 * The reason why the environment settings are invalid. The message never contains the proxy URL, which may include a password.
 */
export interface DispatchFault {
  readonly fault: string;
  /** The file that cannot be read. */
  readonly file?: string;
}

/**
 * Creates a dispatcher for the proxies in `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, and the client certificate in
 * DataHub's `DATAHUB_CLIENT_CERT_PATH` and `DATAHUB_CLIENT_KEY_PATH`. Returns `undefined` if the environment sets none of these.
 * Node.js itself reads CA certificates from `NODE_EXTRA_CA_CERTS`.
 */
export async function dispatcherFor(env: Environment): Promise<Dispatcher | DispatchFault | undefined> {
  const choice = proxyChoice(env);
  const certificate = certificateIn(env);
  if (certificate && "fault" in certificate) return certificate;
  for (const [name, proxy] of choice.named) {
    if (/^socks/i.test(proxy)) {
      return {
        fault: `${name} is set to a SOCKS proxy, which is not supported; use an HTTP proxy, such as http://HOST:PORT`,
      };
    }
    if (!isAddress(proxy))
      return {
        fault: `${name} is not a proxy URL; use http://HOST:PORT, and encode special characters in the password`,
      };
  }
  if (choice.named.length === 0 && !certificate) return undefined;
  return await dispatcherBy(choice, certificate);
}

interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

async function dispatcherBy(
  { proxyFor }: ProxyChoice,
  certificate: Certificate | undefined,
): Promise<Dispatcher> {
  // undici is loaded only if needed, because loading it takes as long as computing a small plan.
  const { Agent, ProxyAgent } = await import("undici");
  const agents = new Map<string | undefined, Dispatcher>();
  const agentFor = (proxy: string | undefined): Dispatcher => {
    const agent =
      agents.get(proxy) ??
      (proxy === undefined
        ? new Agent({ ...(certificate && { connect: certificate }) })
        : // Unencrypted requests need no tunnel, and many proxies do not allow tunnels for them.
          new ProxyAgent({
            uri: proxy,
            proxyTunnel: false,
            ...(certificate && { requestTls: certificate }),
          }));
    agents.set(proxy, agent);
    return agent;
  };
  return {
    dispatch: (options: { readonly origin: string | URL }, handler: never) =>
      agentFor(proxyFor(new URL(options.origin))).dispatch(options as never, handler),
    proxyOf: (address) => {
      const proxy = proxyFor(new URL(address));
      return proxy === undefined ? undefined : new URL(proxy).host;
    },
  };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password].every(isEncoded);
}

// Whether a string has valid percent-encoding. undici rejects a bare `%`.
function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part).length <= part.length;
  } catch {
    return false;
  }
}

function certificateIn(env: Environment): Certificate | DispatchFault | undefined {
  const [cert, key] = [env["DATAHUB_CLIENT_CERT_PATH"], env["DATAHUB_CLIENT_KEY_PATH"]];
  if (!cert && !key) return undefined;
  if (!cert || !key) {
    return { fault: "a client certificate needs both DATAHUB_CLIENT_CERT_PATH and DATAHUB_CLIENT_KEY_PATH" };
  }
  try {
    return { cert: readRegularFile(cert), key: readRegularFile(key) };
  } catch (error) {
    return { fault: `cannot read the client certificate: ${errorMessage(error)}`, file: cert };
  }
}
