import { expect } from 'chai';
import { demandCompatible } from '../../../deploy/docs/event-documents.js';
import type { JsonSchema } from '../../../deploy/docs/json-schema.js';
import { incompatibleChanges } from '../../../deploy/docs/schema-changes.js';

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

describe('the changes of a schema that readers cannot take', () => {
  it('are none in a new optional property, at any depth, or in other words', () => {
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

  it('are none in fewer values', () => {
    expect(changed({ kind: { type: 'string', enum: ['a'] } })).to.deep.equal([]);
  });

  it('are a property that is gone, and so one that has another name', () => {
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
      'items that are not said any more',
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
    it(`are ${what}`, () => expect(changed(properties)).to.deep.equal([words]));

  it('are what is required now and was not, and the other way round', () => {
    expect(changed({}, ['id', 'tags', 'kind'])).to.deep.equal(['event.kind is required now']);
    expect(changed({}, ['id'])).to.deep.equal(['event.tags may be absent now']);
  });

  it('are refused with what to do', () => {
    expect(() => demandCompatible('memory.stored', before, { ...before, required: ['id'] })).to.throw(
      /memory\.stored changes .* version 1 cannot take:\n  - event\.tags may be absent now\n.* make it an optional property, or set SCHEMA_VERSIONS\['memory\.stored'\] to 2/u,
    );
  });
});
