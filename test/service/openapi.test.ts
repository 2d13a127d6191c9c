import { expect } from 'chai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { storeMemoryBody, updateMemoryBody } from '../../shared/contract/commands.js';
import { OPERATIONS, type Operation } from '../../shared/contract/operations.js';
import { openApiDocument } from '../../shared/http/openapi.js';
import { createValidator } from '../../shared/kernel/validate.js';

type Described = {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
};
type OpenApi = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

describe('the OpenAPI document', () => {
  const document = openApiDocument({ version: '1.2.3' }) as OpenApi;

  function described(path: string, method: string): Described {
    const operation = document.paths[path]?.[method];
    if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
    return operation;
  }

  /** Knows JSON Schema 2020-12 and nothing of ours. */
  const ajv = addFormats.default(new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true }));
  const compile = (schema: object): ((value: unknown) => boolean) => ajv.compile(schema) as (value: unknown) => boolean;

  function bodySchema(path: string, method: string): object {
    return described(path, method).requestBody?.content['application/json']?.schema ?? {};
  }

  it('names every operation that callers may use with every status that it can answer with', () => {
    for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
      if (operation.access === 'internal') continue;
      const { operationId, responses } = described(
        operation.path.replace(/:(\w+)/u, '{$1}'),
        operation.method.toLowerCase(),
      );
      expect(operationId).to.equal(name);
      expect(Object.keys(responses)).to.have.members([
        ...Object.keys(operation.replies),
        ...operation.problems.map(String),
      ]);
    }
  });

  it('is written in the words of JSON Schema alone', () => {
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      operation.parameters.forEach(({ schema }) => compile(schema));
      Object.values(operation.requestBody?.content ?? {}).forEach(({ schema }) => compile(schema));
      const replies = Object.values(operation.responses).flatMap(({ content }) => Object.values(content));
      replies.filter(({ schema }) => !('$ref' in schema)).forEach(({ schema }) => compile(schema));
    }
  });

  it('survives being written out', () => {
    expect(JSON.parse(JSON.stringify(document))).to.deep.equal(document);
  });

  it('shows the headers that make a command repeatable and conditional', () => {
    const headersOf = (path: string, method: string): string[] =>
      described(path, method)
        .parameters.filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
    expect(headersOf('/memory', 'post')).to.deep.equal(['Idempotency-Key']);
    expect(headersOf('/memory/{id}', 'patch')).to.deep.equal(['Idempotency-Key', 'If-Match']);
    expect(headersOf('/memory/{id}', 'get')).to.deep.equal([]);
  });

  it('shows the stream as what it is, and how to go on with it', () => {
    const { responses, parameters } = described('/stream', 'get');
    expect(Object.keys(responses['200']?.content ?? {})).to.deep.equal(['text/event-stream']);
    expect(parameters.map(({ name, in: place }) => `${place} ${name}`)).to.deep.equal([
      'query after',
      'query only',
      'header Last-Event-ID',
    ]);
  });

  it('asks for a token wherever the service does', () => {
    expect(described('/recall', 'get').security).to.deep.equal([
      { bearer: [] },
      { apiKeyHeader: [] },
      { apiKeyQuery: [] },
    ]);
    expect(described('/health', 'get').security).to.deep.equal([]);
  });

  it('shows other names of a parameter as parameters', () => {
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
    it(`and the validator alike ${isAccepted ? 'accept' : 'refuse'} ${JSON.stringify(body)}`, () => {
      expect(compile(bodySchema('/memory', 'post'))(body)).to.equal(isAccepted);
      expect(createValidator(storeMemoryBody)(body).ok).to.equal(isAccepted);
    });
  }

  it('and the validator alike take null for what a PATCH removes', () => {
    const body = { tags: null, metadata: null, t_invalid: null };
    expect(compile(bodySchema('/memory/{id}', 'patch'))(body)).to.equal(true);
    expect(createValidator(updateMemoryBody)(body).ok).to.equal(true);
  });
});
