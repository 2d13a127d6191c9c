import { expect } from 'chai';
import fc from 'fast-check';
import { type RecordedEvent, toCloudEvent } from '../../../../shared/contract/events.js';
import { fromCloudEvent } from '../../../../shared/engines/kafka/cloud-event.js';
import { PoisonError } from '../../../../shared/kernel/errors.js';
import { associated, deleted, recorded, stored, updated } from '../../../support/fixtures/events.js';

const text = (event: RecordedEvent): string => JSON.stringify(toCloudEvent(event));
const optionalText = fc.option(fc.string({ minLength: 1 }), { nil: null });

describe('fromCloudEvent', () => {
  const events = [
    stored(1, { content: 'Ünïcode \u2028 "quoted" 🧠', tags: ['a'] }),
    updated(1, 2),
    deleted(1, 3),
    associated(1, 2),
  ];

  it('restores an event of every type', () => {
    for (const [index, event] of events.entries())
      expect(fromCloudEvent(text(recorded(event, index + 1)))).to.deep.equal(recorded(event, index + 1));
  });

  it('restores an event with any envelope values', () => {
    fc.assert(
      fc.property(
        fc.record({
          position: fc.nat(),
          version: fc.nat(),
          revision: fc.nat(),
          correlationId: fc.string(),
          causationId: optionalText,
          traceparent: optionalText,
          tenant: optionalText,
          actor: fc.record({
            name: fc.string(),
            tier: fc.constantFrom('open', 'api', 'admin', 'internal'),
            agent: fc.option(fc.string(), { nil: null }),
          }),
          content: fc.string({ unit: 'grapheme' }),
        }),
        ({ content, position, ...envelope }) => {
          // The overrides have the types of the fields, so the result is still an event.
          const event = recorded({ ...stored(1, { content }), ...envelope } as ReturnType<typeof stored>, position);
          expect(fromCloudEvent(text(event))).to.deep.equal(event);
        },
      ),
      { seed: 4 },
    );
  });

  it('restores an event without data after its contents were erased', () => {
    const erased: RecordedEvent = { ...recorded(stored(1), 5), data: null } as RecordedEvent;
    expect(toCloudEvent(erased)).not.to.have.property('data');
    expect(fromCloudEvent(text(erased))).to.deep.equal(erased);
  });

  it('reads attributes with valid CloudEvents names only, none of them null', () => {
    for (const [name, value] of Object.entries(toCloudEvent(recorded(stored(1), 1)))) {
      expect(name).to.match(/^[a-z0-9]{1,20}$/u);
      expect(value, name).not.to.equal(null);
    }
  });

  it('accepts an event of an unknown type', () => {
    expect(fromCloudEvent(text(recorded(stored(1), 1)).replace('memory.stored', 'memory.dreamt')).type).to.equal(
      'memory.dreamt',
    );
  });

  it('throws PoisonError for a text that is not an event', () => {
    const whole = toCloudEvent(recorded(stored(1), 1));
    const broken = [
      '',
      'null',
      '[]',
      '{}',
      '{"specversion":"0.3"}',
      '\u0000\u0001',
      ...['id', 'position', 'partitionkey', 'actortier'].map((name) => JSON.stringify({ ...whole, [name]: true })),
    ];
    for (const value of broken)
      expect(() => fromCloudEvent(value), value).to.throw(PoisonError, 'Not an event of ours');
  });
});
