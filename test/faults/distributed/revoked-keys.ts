/**
 * Keys in every process: made through one, used at each, revoked through one and refused by each; and a rate that
 * processes share.
 */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import type { FaultSetup } from './fault-checks.js';

export const ADMIN_TOKEN = 'token-of-administrators';

const RATE = 1_500;
/** Processes read the row of a key every 0.5 s; the rest is the time of the statements on a busy machine. */
const UNSHARED_MS = 1_500;

export function revokedKeys(stage: () => FaultSetup): void {
  it('work in each process at once, and in none after their revocation', async function () {
    this.timeout(120_000);
    const { fleet } = stage();
    const administer = (method: string, path: string, body?: object) =>
      fleet.request(method, path, { headers: { 'x-admin-token': ADMIN_TOKEN }, ...(body && { body }) });
    const members = [...fleet.members('query-api'), ...fleet.members('command-api')];
    expect(members).to.have.lengthOf(4);

    const scopes = ['graph:read', 'memories:delete', 'events:read'];
    const { body } = await administer('POST', '/admin/keys', { name: 'fleet', scopes });
    const headers = { authorization: `Bearer ${body.secret}` };
    const statuses = async () =>
      Promise.all(
        members.map(async ({ kind, url }) => {
          const [path, method] =
            kind === 'query-api' ? ['/graph/types', 'GET'] : ['/memory/by-tag?tags=none', 'DELETE'];
          const answer = await fetch(url + path, { method, headers });
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
    expect(await statuses()).to.deep.equal([200, 200, 200, 200]);
    const streams = await Promise.all(fleet.members('query-api').map(({ url }) => fetch(`${url}/stream`, { headers })));
    expect(streams.map(({ status }) => status)).to.deep.equal([200, 200]);

    expect((await administer('DELETE', `/admin/keys/${body.key.id}`)).status).to.equal(200);
    const ends = await Promise.allSettled(streams.map((stream) => stream.text()));
    expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    await until('each process refuses the key', async () => (await statuses()).every((status) => status === 401));
  });

  it('have one rate at two query APIs, exceeded only until both have read the row', async function () {
    this.timeout(120_000);
    const { fleet } = stage();
    const { body } = await fleet.request('POST', '/admin/keys', {
      headers: { 'x-admin-token': ADMIN_TOKEN },
      body: { name: 'fleet-rate', scopes: ['graph:read'], requests_per_minute: RATE },
    });
    const served: number[] = [];
    const sendUntilRefused = async (url: string): Promise<Response> => {
      for (;;) {
        const answer = await fetch(`${url}/graph/types`, { headers: { authorization: `Bearer ${body.secret}` } });
        await answer.arrayBuffer();
        if (answer.status !== 200) return answer;
        served.push(performance.now());
      }
    };
    const refused = await Promise.all(fleet.members('query-api').map(({ url }) => sendUntilRefused(url)));
    for (const { status, headers } of refused) {
      expect(status).to.equal(429);
      expect(headers.get('ratelimit-policy')).to.equal(`"key";q=${RATE};w=60`);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 60);
    }
    const [exhaustedAt = NaN, lastAt = NaN] = [served[RATE - 1], served.at(-1)];
    expect(lastAt - exhaustedAt).to.be.lessThan(UNSHARED_MS);
    expect(served.length, 'each alone would serve as many').to.be.lessThan(1.8 * RATE);
  });
}
