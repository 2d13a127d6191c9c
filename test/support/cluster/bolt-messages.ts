/** Bolt 5.4 as far as a proxy of a server needs it: the chunks of messages, and the few values that the proxy sends. */

/** The tags of messages that the proxy looks at. */
export const TAGS = {
  hello: 0x01,
  goodbye: 0x02,
  reset: 0x0f,
  run: 0x10,
  begin: 0x11,
  commit: 0x12,
  rollback: 0x13,
  route: 0x66,
  logon: 0x6a,
  success: 0x70,
  record: 0x71,
  ignored: 0x7e,
  failure: 0x7f,
} as const;

/** Bolt's magic bytes, and a proposal of 5.4 down to 5.0 alone: later versions have other failures. */
export const HANDSHAKE = Buffer.from('6060b01700040405000000000000000000000000', 'hex');
/** The version in the server's answer. */
export const ANSWER_BYTES = 4;

const LONGEST_CHUNK = 0xffff;
const LENGTH_BYTES = 2;
const END = Buffer.alloc(LENGTH_BYTES);

export const tagOf = (message: Buffer): number => message[1] ?? 0;

/** The message in chunks, as it is sent. */
export function chunked(message: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < message.length; from += LONGEST_CHUNK) {
    const chunk = message.subarray(from, from + LONGEST_CHUNK);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt16BE(chunk.length);
    parts.push(length, chunk);
  }
  return Buffer.concat([...parts, END]);
}

/** Collects the messages of one direction of a connection. `skip`: bytes of the handshake before the first message. */
export function createMessageReader(skip: number, onMessage: (message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  let chunks: Buffer[] = [];
  let skipped = 0;
  return (data) => {
    const skippedNow = Math.min(skip - skipped, data.length);
    skipped += skippedNow;
    rest = Buffer.concat([rest, data.subarray(skippedNow)]);
    while (rest.length >= LENGTH_BYTES) {
      const length = rest.readUInt16BE(0);
      if (rest.length < LENGTH_BYTES + length) return;
      if (length > 0) chunks.push(Buffer.from(rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
      rest = rest.subarray(LENGTH_BYTES + length);
      if (length > 0 || chunks.length === 0) continue; // an empty chunk between messages keeps the connection open
      const message = Buffer.concat(chunks);
      chunks = [];
      onMessage(message);
    }
  };
}

export type Role = 'ROUTE' | 'READ' | 'WRITE';
export type RoutingTable = Readonly<Record<Role, readonly string[]>>;

/** The answer to ROUTE. `ttl`: for how many seconds drivers keep the table. */
export function routeAnswer(table: RoutingTable, ttl: number): Buffer {
  const servers = (Object.keys(table) as Role[]).map((role) => ({ addresses: table[role], role }));
  return struct(TAGS.success, { rt: { ttl, db: 'neo4j', servers } });
}

export const failure = (code: string, message: string): Buffer => struct(TAGS.failure, { code, message });
export const IGNORED: Buffer = Buffer.from([0xb0, TAGS.ignored]);

/** Without the time limit that a client gave: a server that has just started needs longer for its first plans. */
export const BEGIN: Buffer = struct(TAGS.begin, { db: 'neo4j' });

type Value = number | string | readonly Value[] | { readonly [key: string]: Value };

function struct(tag: number, field: Value): Buffer {
  return Buffer.concat([Buffer.from([0xb1, tag]), packed(field)]);
}

/** Lists and maps of at most 15 entries, and 32-bit integers. */
function packed(value: Value): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.from([0xca, 0, 0, 0, 0]);
    bytes.writeInt32BE(value, 1);
    return bytes;
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    const head = Buffer.from([0xd1, 0, 0]);
    head.writeUInt16BE(text.length, 1);
    return Buffer.concat([head, text]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([0x90 + value.length]), ...value.map(packed)]);
  const entries = Object.entries(value);
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat().map(packed)]);
}

/** The text of a RUN: a string with its length in the low bits of its first byte, or behind it. */
export function textOf(run: Buffer): string {
  const kind = run[2] ?? 0;
  const sizes: Readonly<Record<number, () => readonly [from: number, length: number]>> = {
    0xd0: () => [4, run.readUInt8(3)],
    0xd1: () => [5, run.readUInt16BE(3)],
    0xd2: () => [7, run.readUInt32BE(3)],
  };
  const [from, length] = sizes[kind]?.() ?? [3, kind & 0x0f];
  return run.toString('utf8', from, from + length);
}
