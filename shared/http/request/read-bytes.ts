/** Reads the body of a request up to a limit. Rejects a longer body so that the client can still read the response. */
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ValidationError } from '../../kernel/errors.js';
import { EdgeError } from '../edge-error.js';

/** A rejected body is still read up to this multiple of the limit: a client that is cut while it sends may never read the response. */
const DRAIN_FACTOR = 2;

export async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { length: request.headers['content-length'] ?? null, limit: limitBytes });
  } catch (error) {
    if (!isTooLarge(error))
      throw new ValidationError('The connection ended before the whole body had arrived: send it again');
    await drain(request, DRAIN_FACTOR * limitBytes);
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
