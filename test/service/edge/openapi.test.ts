import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { storeMemoryBody, updateMemoryBody } from '../../../shared/contract/commands.js';
import type { Operation } from '../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { problemsOf } from '../../../shared/http/openapi/describe-parameters.js';
import { openApiDocument } from '../../../shared/http/openapi/openapi-document.js';
import { createValidator } from '../../../shared/kernel/validation/validate.js';

type Described = {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly security: readonly object[];
  readonly 'x-required-scope'?: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
};
type OpenApi = {
  readonly openapi: string;
  readonly info: { readonly license?: object };
  readonly servers?: readonly object[];
  readonly tags?: readonly { readonly name: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, { readonly in?: string }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

describe('OpenAPI document', () => {
  const document = openApiDocument({ version: '1.2.3', vectorSize: 2 }) as OpenApi;

  function described(path: string, method: string): Described {
    const operation = document.paths[path]?.[method];
    if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
    return operation;
  }

  /** A validator of JSON Schema 2020-12 without our own keywords. */
  const ajv = addFormats
    .default(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }))
    .addVocabulary(['components']);
  const compile = (schema: object): ((value: unknown) => boolean) =>
    ajv.compile({ ...schema, components: document.components }) as (value: unknown) => boolean;

  function bodySchema(path: string, method: string): object {
    return described(path, method).requestBody?.content['application/json']?.schema ?? {};
  }

  it('lists every public operation with every status it can answer', () => {
    for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
      if (operation.access === 'internal' || operation.page) continue;
      const { operationId, responses } = described(
        operation.path.replace(/:(\w+)/u, '{$1}'),
        operation.method.toLowerCase(),
      );
      expect(operationId).to.equal(name);
      expect(Object.keys(responses)).to.have.members([
        ...Object.keys(operation.replies),
        ...problemsOf(operation).map(String),
        ...(operation.conditional && operation.method === 'GET' ? ['304'] : []),
      ]);
    }
  });

  it('uses only keywords of JSON Schema', () => {
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      operation.parameters.forEach(({ schema }) => compile(schema));
      Object.values(operation.requestBody?.content ?? {}).forEach(({ schema }) => compile(schema));
      const replies = Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content));
      replies.forEach(({ schema }) => compile(schema));
    }
  });

  it('has servers, a license, and a tag and a description for each operation', () => {
    expect([document.info.license, document.servers]).to.deep.equal([
      { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      [{ url: '/', description: 'The service that answered with this document.' }],
    ]);
    const tags = document.tags?.map(({ name }) => name) ?? [];
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      expect(tags, operation.operationId).to.include.members([...(operation.tags ?? ['none'])]);
      expect(operation.description, operation.operationId).to.be.a('string');
    }
  });

  it('names the schemas of bodies and answers', () => {
    expect(bodySchema('/memory', 'post')).to.deep.equal({ $ref: '#/components/schemas/StoreMemoryBody' });
    expect(Object.keys(document.components.schemas)).to.include.members([
      ...['Problem', 'Memory', 'Relation', 'RecallResult', 'RecallReply', 'StoreMemoryReply', 'BatchItem', 'FeedEvent'],
    ]);
  });

  it('has no const, and no token in the query', () => {
    expect(JSON.stringify(document)).to.not.contain('"const":');
    expect(Object.values(document.components.securitySchemes).map(({ in: place }) => place)).to.not.include('query');
  });

  it('has bounds only for values that are refused outside of them', () => {
    const schemaOf = (name: string): object | undefined =>
      described('/recall', 'get').parameters.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf('relation_limit')).to.deep.equal({ type: 'integer' });
    expect(schemaOf('consistent_with')).to.include({ type: 'string' });
  });

  it('gives the length of an embedding', () => {
    const store = compile(bodySchema('/memory', 'post'));
    expect([store({ content: 'x', embedding: [1, 0] }), store({ content: 'x', embedding: [1] })]).to.deep.equal([
      true,
      false,
    ]);
    const { schema } = described('/recall', 'get').parameters.find(({ name }) => name === 'embedding') ?? {};
    expect(schema).to.include({ minItems: 2, maxItems: 2 });
  });

  const either: readonly (readonly [string, object, boolean])[] = [
    ['/associate', { memory1_id: 'a', memory2_id: 'b', type: 'PART_OF' }, true],
    ['/associate', { associations: [{ memory1_id: 'a', memory2_id: 'b', type: 'PART_OF' }] }, true],
    ['/associate', { memory1_id: 'a' }, false],
    ['/admin/dead-letters/redrive', { ids: [1] }, true],
    ['/admin/dead-letters/redrive', { projector: 'x' }, true],
    ['/admin/dead-letters/redrive', { ids: [1], projector: 'x' }, false],
    ['/admin/dead-letters/redrive', {}, false],
  ];
  for (const [path, body, isAllowed] of either)
    it(`${isAllowed ? 'allows' : 'forbids'} ${JSON.stringify(body).slice(0, 50)} at ${path}`, () =>
      expect(compile(bodySchema(path, 'post'))(body)).to.equal(isAllowed));

  it('stays equal when it is serialized', () => {
    expect(JSON.parse(JSON.stringify(document))).to.deep.equal(document);
  });

  it('lists the headers that make a command repeatable and conditional', () => {
    const headersOf = (path: string, method: string): string[] =>
      described(path, method)
        .parameters.filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
    expect(headersOf('/memory', 'post')).to.deep.equal(['Idempotency-Key']);
    expect(headersOf('/memory/{id}', 'patch')).to.deep.equal(['Idempotency-Key', 'If-Match']);
    expect(headersOf('/memory/{id}', 'get')).to.deep.equal(['If-None-Match']);
  });

  it('describes the stream and the header that continues it', () => {
    const { responses, parameters } = described('/stream', 'get');
    expect(Object.keys(responses['200']?.content ?? {})).to.deep.equal(['text/event-stream']);
    expect(parameters.map(({ name, in: place }) => `${place} ${name}`)).to.deep.equal([
      'query after',
      'query only',
      'header Last-Event-ID',
    ]);
  });

  it('requires a token where the service does', () => {
    const key = [{ bearer: [] }, { apiKeyHeader: [] }];
    expect(described('/recall', 'get').security).to.deep.equal(key);
    expect(described('/admin/jobs', 'get').security).to.deep.equal([
      { bearer: [], adminToken: [] },
      { apiKeyHeader: [], adminToken: [] },
      ...key,
    ]);
    expect(described('/recall', 'get')['x-required-scope']).to.equal('memories:read');
    expect(described('/admin/jobs', 'get')['x-required-scope']).to.equal('admin:jobs');
    expect(described('/health', 'get')).to.not.have.property('x-required-scope');
    expect(described('/health', 'get').security).to.deep.equal([]);
  });

  it('lists aliases of a parameter as parameters', () => {
    const names = described('/recall', 'get').parameters.map(({ name }) => name);
    expect(names).to.include.members(['sort', 'order_by', 'time_query', 'time']);
  });

  const bodies: readonly (readonly [unknown, boolean])[] = [
    [{ content: 'x' }, true],
    [{ content: 'x', importance: '0.5', confidence: true, tags: 'a', type: 'decision', embedding: '1,2' }, true],
    [{ content: 'x', importance: null, metadata: null, timestamp: null, type: 'milestone' }, true],
    [{ content: 'x', embedding: '' }, true],
    [{ content: 'x', embedding: '1,two' }, false],
    [{}, false],
    [{ content: null }, false],
    [{ content: ' ' }, false],
    [{ content: 'x', importance: 2 }, false],
    [{ content: 'x', importance: '2' }, false],
    [{ content: 'x', importance: 'high' }, false],
    [{ content: 'x', type: 'Banana' }, false],
    [{ content: 'x', tags: 5 }, false],
    [{ content: 'x', metadata: 'none' }, false],
  ];
  for (const [body, isAccepted] of bodies) {
    it(`${isAccepted ? 'accepts' : 'rejects'} ${JSON.stringify(body).slice(0, 44)}, as the validator`, () => {
      expect(compile(bodySchema('/memory', 'post'))(body)).to.equal(isAccepted);
      expect(createValidator(storeMemoryBody)(body).ok).to.equal(isAccepted);
    });
  }

  it('allows null for a field that a PATCH removes, as the validator does', () => {
    const body = { tags: null, metadata: null, t_invalid: null };
    expect(compile(bodySchema('/memory/{id}', 'patch'))(body)).to.equal(true);
    expect(createValidator(updateMemoryBody)(body).ok).to.equal(true);
  });
});
