/**
 * A gate in front of one real server, for the processes that get its variables. All other processes keep their own
 * connections.
 */
import { serverAddress } from '../servers/servers.js';
import { openTcpGate, type TcpGate } from './tcp-gate.js';

export type ServerGate = TcpGate & {
  /** The address of the server behind the gate, as a variable of our processes. */
  readonly variables: Readonly<Record<string, string>>;
};

export async function openPostgresGate(url: string): Promise<ServerGate> {
  const gate = await openTcpGate(targetOf(url));
  return { ...gate, variables: { POSTGRES_URL: gatedUrl(url, gate) } };
}

export async function openNeo4jGate(): Promise<ServerGate> {
  const gate = await openTcpGate(targetOf(serverAddress('neo4j')));
  return { ...gate, variables: { NEO4J_URL: gatedUrl(serverAddress('neo4j'), gate) } };
}

/** Kafka names its own address in its answers, and clients connect to that one. The gate replaces it with its own. */
export async function openKafkaGate(): Promise<ServerGate> {
  const target = targetOf(`kafka://${serverAddress('kafka')}`);
  const gate = await openTcpGate({
    ...target,
    rewriteReply: (data) => replaceAll(data, addressBytes(target), addressBytes({ ...target, port: gate.port })),
  });
  return { ...gate, variables: { KAFKA_BROKERS: `${target.host}:${gate.port}` } };
}

function targetOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

function gatedUrl(url: string, { port }: TcpGate): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}

/** In Kafka's protocol a host is text and its port is a 32-bit number behind it. */
function addressBytes({ host, port }: { readonly host: string; readonly port: number }): Buffer {
  const bytes = Buffer.alloc(host.length + 4);
  bytes.write(host, 'latin1');
  bytes.writeInt32BE(port, host.length);
  return bytes;
}

function replaceAll(data: Buffer, found: Buffer, replacement: Buffer): Buffer {
  const changed = Buffer.from(data);
  for (let at = changed.indexOf(found); at >= 0; at = changed.indexOf(found, at + found.length))
    replacement.copy(changed, at);
  return changed;
}
