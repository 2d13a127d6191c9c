/** Closing that ends: a server that stands still acknowledges no farewell, and its sockets would keep the process alive. */
import type { Socket } from 'node:net';

/** A server that runs closes its side within a round trip. */
const FAREWELL_MS = 500;

/** Waits for `ended` at most `patienceMs` and then, for the farewells under way, a moment; what is open after that is cut. */
export async function closeSockets(
  ended: Promise<void>,
  sockets: ReadonlySet<Socket>,
  patienceMs: number,
): Promise<void> {
  await within(ended, patienceMs);
  await within(
    Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))),
    FAREWELL_MS,
  );
  for (const socket of sockets) socket.destroy();
  await ended;
}

async function within(awaited: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([awaited, limit]);
  clearTimeout(timer);
}
