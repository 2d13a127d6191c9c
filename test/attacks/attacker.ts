/**
 * The attacker in a thread of its own, so that its work does not delay the bystander. It prepares an attack, runs it
 * for at most ATTACK_MS, and destroys its sockets.
 */
import { once, setMaxListeners } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Attack, ATTACK_MS, type Request, type Target } from './attack.js';
import { ATTACKS } from './attacks.js';

/** How often each status was answered; `cut` counts what had no answer when the attack ended. */
export type Answers = ReadonlyMap<string, number>;

export type AttackerThread = {
  /** Resolves when the bodies of the attack are ready. `begin` runs it and resolves when its sockets are closed. */
  readonly prepare: (attack: Attack) => Promise<{ readonly begin: () => Promise<Answers> }>;
  readonly close: () => Promise<unknown>;
};

export function startAttacker(target: Target): AttackerThread {
  const worker = new Worker(new URL(import.meta.url), { workerData: target });
  const next = async <T>(message: unknown): Promise<T> => {
    worker.postMessage(message);
    const [answer] = (await once(worker, 'message')) as [T]; // rejects with an error of the thread
    return answer;
  };
  return {
    prepare: async (attack) => {
      await next(ATTACKS.indexOf(attack));
      return { begin: () => next<Answers>('begin') };
    },
    close: () => worker.terminate(),
  };
}

async function serve(port: MessagePort, target: Target): Promise<void> {
  for (;;) {
    const [number] = (await once(port, 'message')) as [number];
    const attack = ATTACKS[number];
    if (attack === undefined) throw new Error(`There is no attack ${number}`);
    const bodies = attack.prepare?.(target) ?? [];
    port.postMessage('prepared');
    await once(port, 'message');
    port.postMessage(await run(attack, target, bodies));
  }
}

async function run({ attack }: Attack, target: Target, bodies: readonly Buffer[]): Promise<Answers> {
  const answers = new Map<string, number>();
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const sender = createSender(target, count);
  const sockets = createSockets(target, count);
  const timer = setTimeout(() => {
    sender.end();
    sockets.end();
  }, ATTACK_MS);
  const body = (index = 0): Buffer => bodies[index % bodies.length] ?? Buffer.alloc(0);
  await attack({ target, flood: sender.flood, connect: sockets.connect }, body);
  clearTimeout(timer);
  sender.end();
  return answers;
}

function createSender({ url, mcpUrl, token: own }: Target, count: (answer: string) => unknown) {
  const agent = new Agent({ keepAlive: true });
  const ended = new AbortController();
  setMaxListeners(0, ended.signal); // each request adds one

  function send({ method = 'GET', path, body, headers, token = own }: Request): Promise<void> {
    return new Promise((resolve) => {
      let isAnswered = false;
      const finish = (answer: string): void => {
        if (!isAnswered) count(answer);
        isAnswered = true;
        resolve();
      };
      const sent = httpRequest(path === undefined ? mcpUrl : `${url}${path}`, {
        method,
        agent,
        signal: ended.signal,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
          ...headers,
        },
      });
      sent.once('response', (response) => {
        response.once('error', () => finish('cut')).once('end', () => finish(String(response.statusCode)));
        response.resume();
      });
      sent.on('error', ({ name, code }: NodeJS.ErrnoException) =>
        finish(name === 'AbortError' ? 'cut' : (code ?? name)),
      );
      sent.end(body);
    });
  }

  return {
    flood: async (total: number, request: (index: number) => Request, atATime = total) => {
      let next = 0;
      const sendOn = async (): Promise<void> => {
        while (next < total && !ended.signal.aborted) await send(request(next++));
      };
      await Promise.all(Array.from({ length: atATime }, sendOn));
    },
    end: () => {
      ended.abort();
      agent.destroy();
    },
  };
}

function createSockets({ url }: Target, count: (answer: string) => unknown) {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();

  async function openOne(use: (socket: Socket, index: number) => void, index: number): Promise<void> {
    const socket = connectTo({ host: hostname, port: Number(port), allowHalfOpen: false });
    open.add(socket);
    let hasAnswer = false;
    socket.on('data', (chunk: Buffer) => {
      for (const [, status] of chunk.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3})/gmu)) {
        hasAnswer = true;
        count(status ?? '');
      }
    });
    socket.on('error', () => undefined); // the service may cut it
    socket.once('connect', () => use(socket, index));
    await new Promise((resolve) => socket.once('close', resolve));
    open.delete(socket);
    if (!hasAnswer) count('no answer');
  }

  return {
    connect: (total: number, use: (socket: Socket, index: number) => void) =>
      Promise.all(Array.from({ length: total }, (_, index) => openOne(use, index))),
    end: () => open.forEach((socket) => socket.destroy()),
  };
}

if (!isMainThread && parentPort !== null) await serve(parentPort, workerData as Target);
