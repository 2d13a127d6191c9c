import { expect } from 'chai';
import {
  associateAnswer,
  associateBatchAnswer,
  type AssociationState,
  decideAssociate,
  decideAssociations,
} from '../../../../command-api/associations/associate.js';
import { type AssociationDraft, draftAssociations } from '../../../../command-api/associations/draft-association.js';
import { type Association, associationSubject } from '../../../../shared/contract/association.js';
import { NotFoundError } from '../../../../shared/kernel/errors.js';
import { facts, memoryId, NOW, recorded } from '../fixtures.js';

function draft(overrides: Partial<AssociationDraft> = {}): AssociationDraft {
  return {
    source: memoryId(1),
    target: memoryId(2),
    type: 'PREFERS_OVER',
    strength: 0.5,
    properties: {},
    ...overrides,
  };
}

const BEFORE: Association = {
  source: memoryId(1),
  target: memoryId(2),
  type: 'PREFERS_OVER',
  strength: 0.9,
  properties: { reason: 'old', context: 'kept' },
  created_at: '2024-01-01T00:00:00+00:00',
  updated_at: '2024-01-01T00:00:00+00:00',
};

function state(...associations: readonly Association[]): AssociationState {
  return {
    present: new Set([memoryId(1), memoryId(2), memoryId(3)]),
    associations: new Map(
      associations.map((association) => [associationSubject(association), { association, version: 4, revision: 3 }]),
    ),
  };
}

describe('decideAssociate', () => {
  it('creates an association and requires both of its memories', () => {
    const { events, requires } = decideAssociate(state(), draft({ properties: { reason: 'new' } }), facts());

    expect(requires).to.deep.equal([memoryId(1), memoryId(2)]);
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({
      type: 'association.created',
      subject: `${memoryId(1)}|PREFERS_OVER|${memoryId(2)}`,
      partitionKey: memoryId(1),
      version: 1,
      revision: 1,
    });
    expect(events[0]?.data).to.deep.include({
      association: {
        source: memoryId(1),
        target: memoryId(2),
        type: 'PREFERS_OVER',
        strength: 0.5,
        properties: { reason: 'new' },
        created_at: NOW,
        updated_at: NOW,
      },
    });
  });

  it('updates an existing association and keeps its created_at', () => {
    const { events } = decideAssociate(state(BEFORE), draft({ properties: { reason: 'new' } }), facts());

    expect(events[0]).to.include({ type: 'association.updated', version: 5, revision: 4 });
    expect(events[0]?.data).to.deep.include({
      association: { ...BEFORE, strength: 0.5, properties: { reason: 'new', context: 'kept' }, updated_at: NOW },
    });
  });

  it('writes an update also for equal values', () => {
    const { events } = decideAssociate(state(BEFORE), draft({ strength: 0.9 }), facts());

    expect(events[0]?.data).to.deep.include({ association: { ...BEFORE, updated_at: NOW } });
  });

  it('refuses when a memory is missing', () => {
    expect(() => decideAssociate(state(), draft({ target: memoryId(9) }), facts())).to.throw(
      NotFoundError,
      'One or both memories do not exist',
    );
  });
});

describe('decideAssociations', () => {
  it('uses the later of two drafts for the same association', () => {
    const { events } = decideAssociations(
      state(),
      [draft({ strength: 0.2 }), draft({ target: memoryId(3) }), draft({ strength: 0.8 })],
      facts(),
    );

    expect(events.map(({ data }) => ('association' in data ? data.association.strength : null))).to.deep.equal([
      0.8, 0.5,
    ]);
  });

  it('skips drafts with a missing memory', () => {
    const { events, requires } = decideAssociations(state(), [draft({ target: memoryId(9) }), draft()], facts());

    expect(events).to.have.length(1);
    expect(requires).to.deep.equal([memoryId(1), memoryId(2)]);
  });
});

describe('associateAnswer and associateBatchAnswer', () => {
  it('return the association and its properties', () => {
    expect(associateAnswer(draft({ properties: { reason: 'why' } }))).to.deep.equal({
      status: 201,
      body: {
        status: 'success',
        message: `Association created between ${memoryId(1)} and ${memoryId(2)}`,
        relation_type: 'PREFERS_OVER',
        strength: 0.5,
        reason: 'why',
      },
    });
  });

  it('report each item of a batch by itself', () => {
    const pair = { memory1_id: memoryId(1), memory2_id: memoryId(2) };
    const items = draftAssociations([
      { ...pair, type: 'LEADS_TO' },
      pair,
      'text',
      { ...pair, memory2_id: memoryId(9), type: 'LEADS_TO' },
      { ...pair, type: 'LEADS_TO', strength: 2 },
    ]);
    const drafts = items.flatMap((item) => ('draft' in item ? item.draft : []));
    const events = decideAssociations(state(), drafts, facts()).events.map((event) => ({
      ...recorded(event),
      data: null,
    }));

    expect(associateBatchAnswer(items, events)).to.deep.equal({
      status: 207,
      body: {
        status: 'partial_success',
        created_count: 1,
        failed_count: 4,
        summary: '1/5 associations created successfully',
        succeeded: [{ index: 0, ...pair, relation_type: 'LEADS_TO', strength: 0.5 }],
        failed: [
          { index: 1, reason: 'Missing required field: type' },
          { index: 2, reason: 'Association item must be an object' },
          { index: 3, reason: 'One or both memories do not exist' },
          { index: 4, reason: "'strength' must be between 0 and 1" },
        ],
      },
    });
  });

  it('return 201 when every item succeeds', () => {
    const items = draftAssociations([{ memory1_id: memoryId(1), memory2_id: memoryId(2), type: 'PREFERS_OVER' }]);
    const { events } = decideAssociations(state(), [draft()], facts());

    expect(
      associateBatchAnswer(
        items,
        events.map((event) => recorded(event)),
      ),
    )
      .to.include({ status: 201 })
      .and.to.have.nested.property('body.status', 'success');
  });
});
