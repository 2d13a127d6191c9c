/** Keys in every process: made through one, used at each, revoked through one and refused by each. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import type { FaultSetup } from './fault-checks.js';

export const ADMIN_TOKEN = 'token-of-administrators';

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
}
