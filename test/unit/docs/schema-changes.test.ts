import { expect } from 'chai';
import { requireCompatible } from '../../../deploy/docs/generate/event-documents.js';
import { incompatibleChanges, type JsonSchema } from '../../../deploy/docs/generate/schema-changes.js';

const before: JsonSchema = {
  type: 'object',
  required: ['id', 'tags'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    tags: { type: 'array', items: { type: 'string' } },
    kind: { type: 'string', enum: ['a', 'b'] },
    memory: {
      type: 'object',
      required: ['content'],
      properties: { content: { type: 'string' }, summary: { type: 'string' } },
    },
  },
};

function changed(properties: JsonSchema['properties'], required = before.required): readonly string[] {
  return incompatibleChanges(before, {
    ...before,
    ...(required === undefined ? {} : { required }),
    properties: { ...before.properties, ...properties },
  });
}

describe('incompatible schema changes', () => {
  it('exclude new optional properties and new descriptions', () => {
    expect(
      changed({ note: { type: 'string' }, id: { type: 'string', format: 'uuid', description: 'New words.' } }),
    ).to.deep.equal([]);
    const memory = {
      type: 'object',
      required: ['content'],
      properties: { content: { type: 'string' }, summary: { type: 'string' }, note: { type: 'number' } },
    };
    expect(changed({ memory })).to.deep.equal([]);
  });

  it('exclude a smaller set of values', () => {
    expect(changed({ kind: { type: 'string', enum: ['a'] } })).to.deep.equal([]);
  });

  it('include a removed property, and so a renamed one', () => {
    const { id: _, ...others } = before.properties ?? {};
    expect(
      incompatibleChanges(before, { ...before, properties: { ...others, identity: { type: 'string' } } }),
    ).to.deep.equal(['event.id is gone']);
  });

  const refused: readonly (readonly [string, JsonSchema['properties'], string])[] = [
    ['another type', { id: { type: 'integer', format: 'uuid' } }, 'event.id had type "string" and has "integer"'],
    [
      'a type that may be null',
      { id: { type: ['string', 'null'], format: 'uuid' } },
      'event.id had type "string" and has ["string","null"]',
    ],
    ['another format', { id: { type: 'string' } }, 'event.id had format "uuid" and has of any kind'],
    [
      'another type of items',
      { tags: { type: 'array', items: { type: 'number' } } },
      'event.tags[] had type "string" and has "number"',
    ],
    [
      'items without a schema',
      { tags: { type: 'array' } },
      'event.tags had items {"type":"string"} and has of any kind',
    ],
    ['a new value', { kind: { type: 'string', enum: ['a', 'b', 'c'] } }, 'event.kind may be "c" now'],
    ['any value', { kind: { type: 'string' } }, 'event.kind may have any value now'],
    [
      'a loss further down',
      { memory: { type: 'object', required: ['content'], properties: { content: { type: 'string' } } } },
      'event.memory.summary is gone',
    ],
  ];
  for (const [what, properties, words] of refused)
    it(`include ${what}`, () => expect(changed(properties)).to.deep.equal([words]));

  it('include a newly required property and a newly optional one', () => {
    expect(changed({}, ['id', 'tags', 'kind'])).to.deep.equal(['event.kind is required now']);
    expect(changed({}, ['id'])).to.deep.equal(['event.tags may be absent now']);
  });

  it('are rejected with a message that says what to do', () => {
    expect(() => requireCompatible('memory.stored', before, { ...before, required: ['id'] })).to.throw(
      /memory\.stored changes .* version 1 cannot take:\n {2}- event\.tags may be absent now\n.* make it an optional property, or set SCHEMA_VERSIONS\['memory\.stored'\] to 2/u,
    );
  });
});
