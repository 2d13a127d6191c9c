/** Answers what Node's parser refuses before there is a request, in the same body as every other problem. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Problem } from '../contract/problems.js';

export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy(error);
    return;
  }
  const { code, message } = refusalOf(error.code);
  const problem: Problem = { status: 'error', code, message, error: message };
  const body = JSON.stringify(problem);
  const lines = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end([...lines, '', body].join('\r\n'));
}

function refusalOf(code: string | undefined): { readonly code: number; readonly message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 431, message: 'The URL and the headers are too long together: send less in them' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 408, message: 'The request took too long to arrive: send it again' };
    default:
      return { code: 400, message: 'This is no HTTP request that can be read' };
  }
}
