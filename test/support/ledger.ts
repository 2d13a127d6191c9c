/**
 * A writer that keeps books: it sends commands with an Idempotency-Key, remembers what was acknowledged and what is in doubt, and
 * knows afterwards exactly what the service must hold. Each writer changes only memories of its own, so its books need no locks.
 */
import type { Random } from './random.js';
import type { Answer, HttpCaller } from './http-caller.js';

export type BookedMemory = {
  readonly id: string;
  readonly token: string;
  readonly content: string;
  readonly revision: number;
};

type Command = {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Enters the answer into the books. */
  readonly book: (answer: Answer) => void;
};

export type Ledger = {
  readonly tag: string;
  /** One command, the one in doubt first; rejects when it was not acknowledged, and keeps it in doubt. */
  readonly step: (caller: HttpCaller) => Promise<void>;
  /** Sends the command in doubt again with its key, if there is one. */
  readonly settleDoubt: (caller: HttpCaller) => Promise<void>;
  readonly memories: () => readonly BookedMemory[];
  readonly deleted: () => readonly string[];
  readonly associations: () => number;
  readonly acknowledged: () => number;
};

/** The service answered, and not with success. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Books of writer `name`, whose memories all carry the tag `ledger:<name>`. */
export function createLedger(name: string, random: Random): Ledger {
  const tag = `ledger:${name}`;
  const memories = new Map<string, BookedMemory>();
  const deleted: string[] = [];
  const associations = new Set<string>();
  let sequence = 0;
  let acknowledged = 0;
  let doubt: Command | null = null;

  const put = (id: string, token: string, revision: number): void => {
    memories.set(id, { id, token, content: contentOf(token, revision), revision });
  };
  const body = (token: string): object => ({ content: contentOf(token, 1), tags: [tag], importance: 0.5 });
  const nextToken = (): string => `${name}token${(sequence += 1)}`;
  const one = (): BookedMemory => random.pick([...memories.values()]);

  const store = (key: string): Command => {
    const token = nextToken();
    return {
      key,
      method: 'POST',
      path: '/memory',
      body: body(token),
      book: (answer) => put(answer.body.memory_id, token, 1),
    };
  };
  const storeBatch = (key: string): Command => {
    const tokens = [nextToken(), nextToken(), nextToken()];
    return {
      key,
      method: 'POST',
      path: '/memory/batch',
      body: { memories: tokens.map(body) },
      book: (answer) => answer.body.memory_ids.forEach((id: string, index: number) => put(id, tokens[index] ?? '', 1)),
    };
  };
  const update = (key: string): Command => {
    const { id, token, revision } = one();
    return {
      key,
      method: 'PATCH',
      path: `/memory/${id}`,
      body: { content: contentOf(token, revision + 1) },
      book: () => put(id, token, revision + 1),
    };
  };
  const remove = (key: string): Command => {
    const { id } = one();
    return {
      key,
      method: 'DELETE',
      path: `/memory/${id}`,
      book: () => {
        memories.delete(id);
        deleted.push(id);
        for (const pair of associations) if (pair.includes(id)) associations.delete(pair);
      },
    };
  };
  const associate = (key: string): Command => {
    const [first, second] = [one(), one()];
    if (first.id === second.id) return store(key);
    return {
      key,
      method: 'POST',
      path: '/associate',
      body: { memory1_id: first.id, memory2_id: second.id, type: 'RELATES_TO', strength: 0.7 },
      book: () => associations.add(`${first.id}>${second.id}`),
    };
  };

  const choose = (): Command => {
    const key = `${name}-${(sequence += 1)}`;
    if (memories.size < 3) return store(key);
    const roll = random.next();
    if (roll < 0.5) return store(key);
    if (roll < 0.6) return storeBatch(key);
    if (roll < 0.8) return update(key);
    if (roll < 0.88) return remove(key);
    return associate(key);
  };

  const send = async (caller: HttpCaller, command: Command): Promise<void> => {
    doubt = command;
    const { method, path, body: payload } = command;
    const answer = await caller.request(method, path, {
      headers: { 'idempotency-key': command.key },
      ...(payload === undefined ? {} : { body: payload }),
    });
    if (answer.status >= 300)
      throw new RefusedError(
        answer.status,
        `${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    doubt = null;
    acknowledged += 1;
    command.book(answer);
  };

  return {
    tag,
    step: (caller) => send(caller, doubt ?? choose()),
    settleDoubt: async (caller) => {
      if (doubt !== null) await send(caller, doubt);
    },
    memories: () => [...memories.values()],
    deleted: () => deleted,
    associations: () => associations.size,
    acknowledged: () => acknowledged,
  };
}

function contentOf(token: string, revision: number): string {
  return `Ledger entry ${token} in its revision ${revision}`;
}
