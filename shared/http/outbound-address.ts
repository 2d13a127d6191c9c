/**
 * Checks the addresses of requests that callers cause, so that no caller reaches the machine itself or the network
 * around it through the service (SSRF). The address that is checked is the one that the socket connects to.
 */
import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ConfigurationError, type Environment, readVariables, type Variable } from '../kernel/config/config.js';

export const outboundVariables = [
  {
    name: 'WEBHOOK_ALLOWED_NETWORKS',
    kind: 'list',
    description:
      'Networks that webhooks may reach although they are not public, separated by commas, for example `10.1.0.0/16,fd12::/64`. Only there is `http:` allowed as well as `https:`.',
  },
] as const satisfies readonly Variable[];

export type OutboundAddresses = {
  /** What is wrong with a URL, as far as it shows without DNS; null when it can be used. Completes "'url' ...". */
  readonly problemOf: (url: string) => string | null;
  /** For `http.request`: resolves a name and keeps the addresses that are allowed. It fails when none is. */
  readonly lookup: (protocol: string) => LookupFunction;
};

/** The message completes "'url' ...", as that of `problemOf`. */
export class RefusedAddressError extends Error {}

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** Special-purpose ranges of IANA, and the address of Azure's metadata server, which is a public one. */
const REFUSED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, with Alibaba's metadata server
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // metadata of Azure
  '169.254.0.0/16', // link-local, with the metadata servers of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with broadcast
];
/**
 * Everything outside 2000::/3, the global unicast addresses: among others unspecified, loopback, IPv4-mapped, NAT64
 * (64:ff9b::/96), unique local, link-local and multicast ones. Within it, ranges that hold IPv4 addresses or no hosts.
 */
const REFUSED_V6 = [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23', // protocol assignments, with Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
];

/** IPv4 and IPv6 are kept apart: BlockList takes an IPv4 address for its IPv4-mapped one, which `::/3` contains. */
type Networks = Readonly<Record<'ipv4' | 'ipv6', BlockList>>;

const REFUSED: Networks = { ipv4: blockList(REFUSED_V4), ipv6: blockList(REFUSED_V6) };

/** Throws ConfigurationError. */
export function outboundAddresses(environment: Environment, resolve: Resolve = resolveAll): OutboundAddresses {
  const { WEBHOOK_ALLOWED_NETWORKS: networks = [] } = readVariables(outboundVariables, environment);
  const invalid = networks.filter((network) => !isNetwork(network));
  if (invalid.length > 0)
    throw new ConfigurationError([
      `WEBHOOK_ALLOWED_NETWORKS names ${invalid.join(', ')}, which is no network: write for example 10.1.0.0/16, or 10.1.2.3/32 for one address`,
    ]);
  return createOutboundAddresses(networks, resolve);
}

export function createOutboundAddresses(
  allowedNetworks: readonly string[],
  resolve: Resolve = resolveAll,
): OutboundAddresses {
  const allowed: Networks = {
    ipv4: blockList(allowedNetworks.filter((network) => !network.includes(':'))),
    ipv6: blockList(allowedNetworks.filter((network) => network.includes(':'))),
  };
  const running = new Map<string, ReturnType<Resolve>>();

  function isAllowed(address: string, protocol: string): boolean {
    return isWithin(address, allowed) || (protocol === 'https:' && !isWithin(address, REFUSED));
  }

  function problemOf(text: string): string | null {
    if (!URL.canParse(text)) return "must be an address such as 'https://receiver.example/events'";
    const { protocol, hostname, username, password } = new URL(text);
    if (protocol !== 'https:' && protocol !== 'http:') return `must begin with https:, not with ${protocol}`;
    if (username !== '' || password !== '')
      return 'must have no user and no password: the receiver verifies the signature of each event';
    const literal = hostname.replace(/^\[|\]$/gu, '');
    if (isIP(literal) !== 0) return isAllowed(literal, protocol) ? null : refusal(literal, protocol);
    return protocol === 'http:' && allowedNetworks.length === 0 ? 'must begin with https:, not with http:' : null;
  }

  async function addressesOf(name: string, protocol: string) {
    const found = await resolveOnce(name);
    const usable = found.filter(({ address }) => isAllowed(address, protocol));
    if (usable.length > 0) return usable;
    throw new RefusedAddressError(refusal(`${name} (${found[0]?.address ?? 'no address'})`, protocol));
  }

  /** Requests to one host share a running query, so a slow name server takes one thread of the process for it. */
  function resolveOnce(name: string): ReturnType<Resolve> {
    const query = running.get(name) ?? resolve(name).finally(() => running.delete(name));
    running.set(name, query);
    return query;
  }

  return {
    problemOf,
    lookup: (protocol) => (name, options, answer) => {
      addressesOf(name, protocol).then(
        (usable) => {
          const fitting = usable.filter(({ family }) => !isFamily(options.family) || family === options.family);
          const [first = usable[0]] = fitting;
          if (options.all === true) answer(null, [...(fitting.length > 0 ? fitting : usable)]);
          else if (first !== undefined) answer(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => answer(error, options.all === true ? [] : ''),
      );
    },
  };
}

function isFamily(family: unknown): boolean {
  return family === 4 || family === 6;
}

function refusal(address: string, protocol: string): string {
  return `leads to ${address}, which is not ${protocol === 'http:' ? 'allowed for http:' : 'a public address'}: an operator can allow its network in WEBHOOK_ALLOWED_NETWORKS`;
}

function isWithin(address: string, networks: Networks): boolean {
  const [bare = ''] = address.split('%'); // without the zone of a link-local address
  const family = isIP(bare) === 4 ? 'ipv4' : 'ipv6';
  return networks[family].check(bare, family);
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/u.test(prefix) && Number(prefix) <= longest;
}

function resolveAll(name: string): ReturnType<Resolve> {
  return systemLookup(name, { all: true });
}
