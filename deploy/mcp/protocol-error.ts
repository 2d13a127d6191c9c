/** JSON-RPC errors: the answer for a resource or a prompt has no field that could say what is wrong. */
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { type Failure, failureAnswer, NOT_OUR_SERVICE } from './failure-answer.js';

export class ProtocolError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'ProtocolError';
  }
}

/** Defined by the protocol; the SDK has no name for it. */
const RESOURCE_NOT_FOUND = -32_002;

export function notFoundError(message: string, uri: string): ProtocolError {
  return new ProtocolError(RESOURCE_NOT_FOUND, message, { uri });
}

/** For a resource that the service did not send. */
export function failureError(failure: Failure, uri: string): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, failureAnswer(failure).text.join('\n'), { uri });
}

/** For an answer without `what`. */
export function foreignAnswerError(status: number, what: string, uri: string): ProtocolError {
  const message = `Error: The service answered ${status}, but not with ${what}.\n${NOT_OUR_SERVICE}`;
  return new ProtocolError(ErrorCode.InternalError, message, { uri });
}
