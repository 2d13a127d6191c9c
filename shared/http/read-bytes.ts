/** Takes in the body of a request up to a limit, and refuses what is longer in a way that its sender gets to read. */
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ValidationError } from '../kernel/errors.js';
import { EdgeError } from './edge-error.js';

/** So many times the limit of a refused body is still taken in: a client that is cut off while it sends may never read the answer. */
const REFUSED_SHARE = 2;

export async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { length: request.headers['content-length'] ?? null, limit: limitBytes });
  } catch (error) {
    if (!isTooLarge(error))
      throw new ValidationError('The connection ended before the whole body had arrived: send it again');
    await drain(request, REFUSED_SHARE * limitBytes);
    const text = `The body is larger than ${limitBytes} bytes: send it in smaller parts`;
    throw new EdgeError(413, text, { connection: 'close' });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

async function drain(request: IncomingMessage, limitBytes: number): Promise<void> {
  let taken = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    taken += (chunk as Buffer).length;
    if (taken > limitBytes) return;
  }
}
