/**
 * A writer that records its commands. It sends each command with an Idempotency-Key, keeps the acknowledged ones and
 * the unconfirmed one, and so knows exactly which memories the service must hold. Each writer changes only its own
 * memories, so the ledger needs no locks.
 */
import type { Answer, HttpCaller } from '../clients/http-caller.js';
import type { Random } from '../fixtures/random.js';

export type LedgerMemory = {
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
  /** Records the effect of the acknowledged command. */
  readonly record: (answer: Answer) => void;
};

export type Ledger = {
  readonly tag: string;
  /**
   * Sends one command, the unconfirmed one first. Rejects if it is not acknowledged, and then keeps it as unconfirmed.
   */
  readonly step: (caller: HttpCaller) => Promise<void>;
  /** Sends the unconfirmed command again with its key, if there is one. */
  readonly resendUnconfirmed: (caller: HttpCaller) => Promise<void>;
  readonly memories: () => readonly LedgerMemory[];
  readonly deleted: () => readonly string[];
  readonly associations: () => number;
  readonly acknowledged: () => number;
};

/** The service answered with an error status. */
export class FailedRequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The ledger of the writer `name`. All of its memories have the tag `ledger:<name>`. */
export function createLedger(name: string, random: Random): Ledger {
  const tag = `ledger:${name}`;
  const memories = new Map<string, LedgerMemory>();
  const deleted: string[] = [];
  const associations = new Set<string>();
  let sequence = 0;
  let acknowledged = 0;
  let unconfirmed: Command | null = null;

  const put = (id: string, token: string, revision: number): void => {
    memories.set(id, { id, token, content: contentOf(token, revision), revision });
  };
  const body = (token: string): object => ({ content: contentOf(token, 1), tags: [tag], importance: 0.5 });
  const nextToken = (): string => `${name}token${(sequence += 1)}`;
  const anyMemory = (): LedgerMemory => random.pick([...memories.values()]);

  const store = (key: string): Command => {
    const token = nextToken();
    return {
      key,
      method: 'POST',
      path: '/memory',
      body: body(token),
      record: (answer) => put(answer.body.memory_id, token, 1),
    };
  };
  const storeBatch = (key: string): Command => {
    const tokens = [nextToken(), nextToken(), nextToken()];
    return {
      key,
      method: 'POST',
      path: '/memory/batch',
      body: { memories: tokens.map(body) },
      record: (answer) =>
        answer.body.memory_ids.forEach((id: string, index: number) => put(id, tokens[index] ?? '', 1)),
    };
  };
  const update = (key: string): Command => {
    const { id, token, revision } = anyMemory();
    return {
      key,
      method: 'PATCH',
      path: `/memory/${id}`,
      body: { content: contentOf(token, revision + 1) },
      record: () => put(id, token, revision + 1),
    };
  };
  const remove = (key: string): Command => {
    const { id } = anyMemory();
    return {
      key,
      method: 'DELETE',
      path: `/memory/${id}`,
      record: () => {
        memories.delete(id);
        deleted.push(id);
        for (const pair of associations) if (pair.includes(id)) associations.delete(pair);
      },
    };
  };
  const associate = (key: string): Command => {
    const [first, second] = [anyMemory(), anyMemory()];
    if (first.id === second.id) return store(key);
    return {
      key,
      method: 'POST',
      path: '/associate',
      body: { memory1_id: first.id, memory2_id: second.id, type: 'RELATES_TO', strength: 0.7 },
      record: () => associations.add(`${first.id}>${second.id}`),
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
    unconfirmed = command;
    const { method, path, body: payload } = command;
    const answer = await caller.request(method, path, {
      headers: { 'idempotency-key': command.key },
      ...(payload === undefined ? {} : { body: payload }),
    });
    if (answer.status >= 300)
      throw new FailedRequestError(
        answer.status,
        `${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    unconfirmed = null;
    acknowledged += 1;
    command.record(answer);
  };

  return {
    tag,
    step: (caller) => send(caller, unconfirmed ?? choose()),
    resendUnconfirmed: async (caller) => {
      if (unconfirmed !== null) await send(caller, unconfirmed);
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
