/** A JSON-RPC error: the answer for a resource or a prompt has no field that could say what is wrong. */
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
export const RESOURCE_NOT_FOUND = -32_002;
