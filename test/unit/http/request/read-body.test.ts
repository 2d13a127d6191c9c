import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readBody } from '../../../../shared/http/request/read-body.js';
import { rejection } from '../../../support/checks/rejection.js';

describe('readBody', () => {
  it('rejects the whole body of a client that has hung up', async () => {
    const read = (signal: AbortSignal) => {
      const headers = { 'content-type': 'application/json' };
      const request = Object.assign(Readable.from([Buffer.from('{}')]), { headers });
      // readBody uses the stream and the headers alone, and the response only after `Expect`.
      return readBody(
        request as unknown as IncomingMessage,
        { missing: '', kind: 'memory' },
        { response: {} as ServerResponse, signal, begin: async () => undefined },
      );
    };
    expect((await read(new AbortController().signal)).body).to.deep.equal({});
    expect(await rejection(read(AbortSignal.abort()))).to.include({ status: 408 });
  });
});
