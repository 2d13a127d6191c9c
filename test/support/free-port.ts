import { createServer } from 'node:net';
import { once } from 'node:events';

/** A port that was free a moment ago: for processes that others must be told of before they start. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The port of a listening server is not known');
  return address.port;
}
