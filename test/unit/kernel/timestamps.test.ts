import { expect } from 'chai';
import fc from 'fast-check';
import { formatTimestamp, microsecondsBefore } from '../../../shared/kernel/clock.js';
import { parseTimestamp } from '../../../shared/kernel/timestamps.js';

const READ: readonly (readonly [string, string])[] = [
  ['2024-01-01', '2024-01-01T00:00:00+00:00'],
  ['20240101', '2024-01-01T00:00:00+00:00'],
  ['2024-W01', '2024-01-01T00:00:00+00:00'],
  ['2020W537', '2021-01-03T00:00:00+00:00'],
  ['2024-W01-3T10:00', '2024-01-03T10:00:00+00:00'],
  ['2024-01-01 10:00:00', '2024-01-01T10:00:00+00:00'],
  ['  2024-01-01T10:00:00Z\n', '2024-01-01T10:00:00+00:00'],
  ['2024-01-01T10:00:00+0200', '2024-01-01T08:00:00+00:00'],
  ['2024-01-01T10:00:00+02:00', '2024-01-01T08:00:00+00:00'],
  ['2024-01-01 10:00:00 +0200', '2024-01-01T08:00:00+00:00'],
  ['2024-01-01T10:00:00-02:00:30', '2024-01-01T12:00:30+00:00'],
  ['2024-01-01T10:00:00+00:00:00.5', '2024-01-01T09:59:59.500000+00:00'],
  ['2024-01-01T100000,25', '2024-01-01T10:00:00.250000+00:00'],
  ['2024-01-01T10:00:00.1234567Z', '2024-01-01T10:00:00.123456+00:00'],
  ['2024-01-01T10:00:00.500Z', '2024-01-01T10:00:00.500000+00:00'],
  ['2024-01-01T10:00:00.000000Z', '2024-01-01T10:00:00+00:00'],
  ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00+00:00'],
  ['0001-01-01', '0001-01-01T00:00:00+00:00'],
  ['9999-12-31T23:59:59.999999', '9999-12-31T23:59:59.999999+00:00'],
];

const REFUSED = [
  '',
  ' ',
  'yesterday',
  '2024-1-1',
  '2024-01-01T10:00:00z',
  '2024-02-30',
  '2023-02-29',
  '1900-02-29',
  '2024-13-01',
  '2024-00-01',
  '0000-01-01',
  '2024-W00',
  '2024-W53',
  '2024-W01-8',
  '2024-01-01T24:00',
  '2024-01-01T10:60',
  '2024-01-01T10:00:60',
  '2024-01-01T',
  '2024-01-01T1',
  '2024-01-01T10:0000',
  '2024-01-01T10:00:00.',
  '2024-01-01T10:00:00+24:00',
  '2024-01-01T10:00:00+1',
  '1704067200',
  '20240101103045',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2024-01-01T10:00:00Z trailing',
];

describe('parseTimestamp', () => {
  for (const [text, expected] of READ) {
    it(`reads ${JSON.stringify(text)} as ${expected}`, () => {
      expect(parseTimestamp(text)).to.equal(expected);
    });
  }

  for (const text of REFUSED) {
    it(`rejects ${JSON.stringify(text)}`, () => {
      expect(parseTimestamp(text)).to.equal(null);
    });
  }

  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });

  it('reads a timestamp of the service as the same text', () => {
    fc.assert(
      fc.property(instants, (date) => {
        expect(parseTimestamp(formatTimestamp(date))).to.equal(formatTimestamp(date));
      }),
    );
  });

  it('keeps every microsecond with every offset', () => {
    const offsets = fc.tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 23 }),
      fc.integer({ min: 0, max: 59 }),
    );
    const middle = fc.date({
      min: new Date('0002-01-01T00:00:00Z'),
      max: new Date('9998-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(middle, fc.integer({ min: 0, max: 999_999 }), offsets, (date, micros, [sign, hours, minutes]) => {
        const fraction = String(micros).padStart(6, '0');
        const shift = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
        const two = (value: number): string => String(value).padStart(2, '0');
        const local = new Date(date.getTime() + shift).toISOString().slice(0, 19);
        const utc = date.toISOString().slice(0, 19);
        const read = parseTimestamp(`${local}.${fraction}${sign}${two(hours)}:${two(minutes)}`);
        expect(read).to.equal(micros === 0 ? `${utc}+00:00` : `${utc}.${fraction}+00:00`);
      }),
    );
  });

  it('are written some microseconds earlier', () => {
    const noon = '2024-06-01T12:00:00+00:00';
    expect(microsecondsBefore(noon, 0)).to.equal(noon);
    expect(microsecondsBefore(noon, 1)).to.equal('2024-06-01T11:59:59.999999+00:00');
    expect(microsecondsBefore('2024-06-01T12:00:00.500000+00:00', 1_499)).to.equal('2024-06-01T12:00:00.498501+00:00');
  });

  it('returns null or a text that it reads as itself, for any input', () => {
    const noise = fc.string({ unit: fc.constantFrom(...'0123456789-:TWZ+., '), minLength: 4, maxLength: 32 });
    fc.assert(
      fc.property(
        fc.oneof(
          noise,
          noise.map((rest) => `2024-01-01T${rest}`),
          fc.string(),
        ),
        (text) => {
          const read = parseTimestamp(text);
          if (read !== null) expect(parseTimestamp(read)).to.equal(read);
        },
      ),
      { numRuns: 500 },
    );
  });
});
