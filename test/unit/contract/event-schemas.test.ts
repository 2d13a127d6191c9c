/**
 * The schemas of events match the types of the code. The compiler checks most of it: a wrong `true` does not compile.
 */
import { expect } from 'chai';
import type { FromSchema } from 'json-schema-to-ts';
import { EVENT_DATA_SCHEMAS, optionalAttributes, requiredAttributes } from '../../../shared/contract/event-schemas.js';
import { type CloudEvent, type EventBody, type EventType, SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import type { MemoryId } from '../../../shared/contract/memory.js';

/** The type without brands and `readonly`, and with its intersections expanded. */
type Plain<T> = T extends MemoryId
  ? string
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]: Plain<T[K]> }
      : T;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

type Schemas = typeof EVENT_DATA_SCHEMAS;
type DataOf<T extends EventType> = Extract<EventBody, { readonly type: T }>['data'];

type Required = typeof requiredAttributes;
type Optional = typeof optionalAttributes;
type Described = { [K in keyof Required]: FromSchema<Required[K]> } & {
  [K in keyof Optional]?: FromSchema<Optional[K]>;
};
type Written = Omit<CloudEvent, 'type' | 'schemaversion' | 'data'>;
/** Only the property names, with their optionality. */
type Names<T> = { [K in keyof T]: 1 };

describe('event schemas', () => {
  it('have the same properties as the types, equally typed and optional', () => {
    const stored: Same<DataOf<'memory.stored'>, FromSchema<Schemas['memory.stored']>> = true;
    const updated: Same<DataOf<'memory.updated'>, FromSchema<Schemas['memory.updated']>> = true;
    const enriched: Same<DataOf<'memory.enriched'>, FromSchema<Schemas['memory.enriched']>> = true;
    const requested: Same<
      DataOf<'memory.enrichment.requested'>,
      FromSchema<Schemas['memory.enrichment.requested']>
    > = true;
    const failed: Same<DataOf<'memory.enrichment.failed'>, FromSchema<Schemas['memory.enrichment.failed']>> = true;
    const relevance: Same<DataOf<'memory.relevance.changed'>, FromSchema<Schemas['memory.relevance.changed']>> = true;
    const archived: Same<DataOf<'memory.archived'>, FromSchema<Schemas['memory.archived']>> = true;
    const restored: Same<DataOf<'memory.restored'>, FromSchema<Schemas['memory.restored']>> = true;
    const cluster: Same<DataOf<'memory.cluster.changed'>, FromSchema<Schemas['memory.cluster.changed']>> = true;
    const deleted: Same<DataOf<'memory.deleted'>, FromSchema<Schemas['memory.deleted']>> = true;
    const created: Same<DataOf<'association.created'>, FromSchema<Schemas['association.created']>> = true;
    const rewritten: Same<DataOf<'association.updated'>, FromSchema<Schemas['association.updated']>> = true;
    const merged: Same<DataOf<'entity.merged'>, FromSchema<Schemas['entity.merged']>> = true;
    const entity: Same<DataOf<'entity.updated'>, FromSchema<Schemas['entity.updated']>> = true;
    const made: Same<DataOf<'key.created'>, FromSchema<Schemas['key.created']>> = true;
    const rotated: Same<DataOf<'key.rotated'>, FromSchema<Schemas['key.rotated']>> = true;
    const revoked: Same<DataOf<'key.revoked'>, FromSchema<Schemas['key.revoked']>> = true;
    expect([
      stored,
      updated,
      enriched,
      requested,
      failed,
      relevance,
      archived,
      restored,
      cluster,
      deleted,
      created,
      rewritten,
      merged,
      entity,
      made,
      rotated,
      revoked,
    ]).to.have.lengthOf(Object.keys(EVENT_DATA_SCHEMAS).length);
  });

  it('have the attributes of the published CloudEvents', () => {
    const hasTheSameNames: Same<Names<Written>, Names<Described>> = true;
    const hasTypesWithin: Described extends Written ? true : false = true;
    expect([hasTheSameNames, hasTypesWithin]).to.deep.equal([true, true]);
    expect(
      Object.keys({ ...requiredAttributes, ...optionalAttributes }),
      'names as CloudEvents allows them',
    ).to.satisfy((names: string[]) => names.every((name) => /^[a-z0-9]{1,20}$/u.test(name)));
  });

  it('exist for every event type with a schema version', () => {
    expect(Object.keys(EVENT_DATA_SCHEMAS)).to.have.members(Object.keys(SCHEMA_VERSIONS));
  });
});
