/**
 * The permission matrix: each operation with each credential. The rules that it expects are by path, and are not those
 * of the product.
 */
import { expect } from 'chai';
import pLimit from 'p-limit';
import { expectedOutcome, isExpected, ruleOf } from '../../support/tenants/access-rules.js';
import { type Credential, type Credentials, makeCredentials } from '../../support/tenants/credentials.js';
import { type Call, OPERATION_NAMES, operationOf, send } from '../../support/tenants/send-operation.js';
import { SERVICES_WITH_TENANTS, type ServiceWithTenants } from '../../support/tenants/service-with-tenants.js';

const ABSENT_ID = '0197281b-6f40-4c5e-9d3a-51c7e2b80aff';
/** Of a failure, which may have a thousand. */
const SHOWN_DIFFERENCES = 20;
const CONCURRENT_REQUESTS = 8;
/** Values that the operation refuses: a request that is allowed ends before its work. */
const REFUSED_VALUES: Readonly<Record<string, string>> = { after: '-', include: 'none', embedding: 'none' };

/** A request that changes nothing: its id is absent, its body no object. */
function harmlessCall(name: (typeof OPERATION_NAMES)[number]): Call {
  const { method, path, query = [], body, stream = false } = operationOf(name);
  const values = query.flatMap(({ name: parameter }) => {
    const value = REFUSED_VALUES[parameter];
    return value === undefined ? [] : [`${parameter}=${value}`];
  });
  const search = values.length === 0 ? '' : `?${values.join('&')}`;
  return {
    method,
    path: `${path.replace(/[:*]\w+/u, ABSENT_ID)}${search}`,
    body: body === undefined ? null : '[]',
    isStream: stream,
  };
}

for (const { name: composition, open } of SERVICES_WITH_TENANTS)
  describe(`permissions, ${composition}`, function () {
    this.timeout(300_000);
    let service: ServiceWithTenants;
    let credentials: Credentials;
    let cells = 0;
    before(async () => {
      service = await open();
      credentials = await makeCredentials(service);
    });
    after(() => service.close());

    /** The cells of one credential that differ from the rules. */
    async function differences({ headers, holding }: Credential): Promise<readonly string[]> {
      const limit = pLimit(CONCURRENT_REQUESTS);
      const rows = OPERATION_NAMES.map((name) =>
        limit(async () => {
          const expected = expectedOutcome(ruleOf(operationOf(name)), holding);
          const { status, bytes } = await send(service.url, harmlessCall(name), headers);
          cells += 1;
          return isExpected(status, expected) ? [] : [`${name}: ${status}, not ${expected}. ${bytes.toString()}`];
        }),
      );
      return (await Promise.all(rows)).flat();
    }

    it('are those of the rules for each operation and each credential', async () => {
      const found: string[] = [];
      for (const [title, credential] of Object.entries(credentials))
        found.push(...(await differences(credential)).map((cell) => `${title}, ${cell}`));
      expect(found, found.slice(0, SHOWN_DIFFERENCES).join('\n')).to.deep.equal([]);
      expect(cells).to.equal(OPERATION_NAMES.length * Object.keys(credentials).length);
    });
  });
