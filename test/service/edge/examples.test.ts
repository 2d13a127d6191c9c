/**
 * The examples of the OpenAPI document: an empty service answers each request in their order, and each reply is valid.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { Example } from '../../../shared/contract/examples/example.js';
import { EXAMPLES } from '../../../shared/contract/examples/examples.js';
import type { Operation } from '../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { openApiDocument } from '../../../shared/http/openapi/openapi-document.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKENS = { authorization: 'Bearer token-of-the-api', 'x-admin-token': 'token-of-the-administrator' };
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

type Shown = { readonly schema: object; readonly example?: unknown };
type Content = Readonly<Record<string, Shown>>;
type Described = {
  readonly operationId: string;
  readonly parameters: readonly (Shown & { readonly name: string; readonly required: boolean })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
};

describe('the examples of the OpenAPI document', () => {
  let service: Service;
  /** The ids of the service by those of the examples. */
  const ids = new Map<string, string>();
  before(async () => {
    service = await startService({
      enriches: true,
      variables: { SERVICE_API_TOKEN: 'token-of-the-api', ADMIN_API_TOKEN: TOKENS['x-admin-token'] },
    });
  });
  after(() => service.close());

  const document = openApiDocument({ version: '1.0.0', vectorSize: 2 });
  // The shape of the document is the subject of its own tests.
  const operations = Object.values(document.paths as Record<string, Record<string, Described>>).flatMap(Object.values);
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  for (const described of operations as Described[])
    it(`of ${described.operationId} are complete and valid`, () => {
      const { parameters, requestBody, responses } = described;
      const shown = [
        ...parameters.filter(({ required, example }) => required || example !== undefined),
        ...Object.values(requestBody?.content ?? {}),
        ...Object.values(Object.values(responses)[0]?.content ?? {}),
      ];
      for (const { schema, example } of shown) {
        const isValid = ajv.compile({ ...schema, components: document['components'] });
        expect(isValid(example), JSON.stringify(isValid.errors)).to.equal(true);
      }
    });

  for (const [name, example] of Object.entries<Example>(EXAMPLES)) {
    it(`of ${name} work`, async () => {
      const operation: Operation = OPERATIONS[name as keyof typeof EXAMPLES];
      const { status, body } = await send(operation, example);
      expect(Object.keys(operation.replies), JSON.stringify(body)).to.include(String(status));
      if (operation.stream || operation.download) return;
      // A slow machine answers with the job of the work, which is the second reply.
      if (String(status) === Object.keys(operation.replies)[0])
        expect(body).to.include.keys(Object.keys(example.reply as object));
      learn(example.reply, body);
      if (operation.repeatable) await service.settled();
      if (body.status === 'accepted') await until('the job has ended', () => hasEnded(body.job.id));
    });
  }

  async function send({ method, path, stream }: Operation, { parameters = {}, body }: Example) {
    const query = new URLSearchParams();
    let target: string = path;
    for (const [name, value] of Object.entries(parameters)) {
      if (path.includes(`:${name}`)) target = target.replace(`:${name}`, String(value));
      else for (const each of [value].flat()) query.append(name, String(each));
    }
    const url = replaceIds(`${target}?${query.toString()}`);
    if (!stream)
      return service.request(method, url, {
        headers: TOKENS,
        ...(body !== undefined && { raw: replaceIds(JSON.stringify(body)) }),
      });
    const answer = await fetch(`${service.url}${url}`, { headers: TOKENS });
    await answer.body?.cancel(); // it has no end
    return answer;
  }

  const replaceIds = (text: string) => [...ids].reduce((whole, [shown, real]) => whole.replaceAll(shown, real), text);
  const hasEnded = async (job: string) =>
    (await service.request('GET', `/admin/jobs/${job}`, { headers: TOKENS })).body.job.finished_at !== null;

  /** Keeps the first id of the service at the place of each id of the example. */
  function learn(shown: unknown, real: unknown): void {
    if (typeof shown === 'string' && typeof real === 'string' && UUID.test(shown) && !ids.has(shown))
      ids.set(shown, real);
    if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null)
      for (const [key, value] of Object.entries(shown)) learn(value, (real as Readonly<Record<string, unknown>>)[key]);
  }
});
