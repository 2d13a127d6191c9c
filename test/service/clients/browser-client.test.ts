/** The client as a browser loads it: one script, in a context that has what browsers have and nothing of Node. */
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { Client, ClientOptions } from '../../../shared/client/client.js';
import { REPOSITORY } from '../../support/checks/source-files.js';
import { type Service, startService } from '../../support/processes/service.js';

/** Measured: 9 KB. With the schemas of the operations it was 112 KB. */
const LARGEST_BYTES = 12_000;
const ENTRY = join(REPOSITORY, 'dist/shared/client/http-client.js');

describe('the client in a browser', () => {
  let script: string;
  let service: Service;
  before(async () => {
    // For a browser esbuild refuses the modules of Node.
    const shared = { bundle: true, minify: true, platform: 'browser', format: 'iife', write: false } as const;
    const { outputFiles } = await build({ ...shared, entryPoints: [ENTRY], globalName: 'palimpsest' });
    script = outputFiles[0]?.text ?? '';
    service = await startService();
  });
  after(() => service.close());

  function open(own: object = {}, options: Partial<ClientOptions> = {}): Client {
    const { setTimeout, clearTimeout, fetch, URL, AbortController, DOMException } = globalThis;
    // A page from plain HTTP has no `crypto.randomUUID`.
    const crypto = { getRandomValues: globalThis.crypto.getRandomValues.bind(globalThis.crypto) };
    const context = createContext({
      setTimeout,
      clearTimeout,
      fetch,
      URL,
      AbortController,
      DOMException,
      crypto,
      ...own,
    });
    const { createClient } = runInContext(`${script}; palimpsest`, context) as {
      createClient: (options: ClientOptions) => Client;
    };
    return createClient({ baseUrl: service.url, token: null, userAgent: 'browser', ...options });
  }

  it('is smaller than its bound with all operations', () => {
    expect(script.length).to.be.within(1, LARGEST_BYTES);
  });

  it('stores a memory and recalls it', async () => {
    const client = open();
    const content = 'The lighthouse keeper paints on Sundays';
    const stored = await client.call('storeMemory', { body: { content } });
    expect(stored).to.include({ kind: 'answered', status: 201 });
    await service.settled();
    const found = await client.call('recall', { query: { query: 'when does the lighthouse keeper paint' } });
    expect(found).to.have.nested.property('body.results[0].memory.content', content);
  });

  it('sends a new Idempotency-Key with each store', async () => {
    const keys: unknown[] = [];
    const fetch = (_: URL, { headers }: { headers: Record<string, string> }) => {
      keys.push(headers['Idempotency-Key']);
      return Promise.resolve(new Response('{}', { status: 201 }));
    };
    const client = open({ fetch });
    for (let store = 0; store < 2; store += 1) await client.call('storeMemory', { body: { content: 'x' } });
    for (const key of keys) expect(key).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
    expect(new Set(keys).size).to.equal(2);
  });

  it('names a redirect whose address the browser hides', async () => {
    const fetch = () => Promise.resolve({ type: 'opaqueredirect', status: 0, headers: new Headers(), body: null });
    const answer = await open({ fetch }).call('health', {});
    expect(answer).to.deep.include({ kind: 'unreadable' });
    expect(answer).to.have.property('message').that.includes('redirects: use the address that it redirects to');
  });
});
