import { expect } from 'chai';
import fc from 'fast-check';
import {
  characterCount,
  readContent,
  readEmbedding,
  readJsonObject,
  readTags,
  readTimestamp,
} from '../../../../command-api/memories/memory-fields.js';

describe('memory fields', () => {
  describe('content', () => {
    it('is stored trimmed', () => {
      expect(readContent('  words \n', 10)).to.equal('words');
    });

    it('must not be blank', () => {
      expect(() => readContent(' \n', 10)).to.throw("'content' is required");
    });

    it('is measured in code points, the limit included', () => {
      expect(characterCount('a😀é')).to.equal(3);
      expect(readContent('😀'.repeat(10), 10)).to.equal('😀'.repeat(10));
    });

    it('is measured in code points, halves of surrogate pairs included', () => {
      const text = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '😀') });
      fc.assert(
        fc.property(text, (given) => void expect(characterCount(given)).to.equal([...given].length)),
        { seed: 15 },
      );
    });

    it('is refused above the limit, and the error names both lengths', () => {
      expect(() => readContent('😀'.repeat(2001), 2000)).to.throw(
        'Content exceeds maximum length of 2000 characters (2001 provided). Please split into smaller memories or summarize.',
      );
    });
  });

  describe('tags', () => {
    it('are trimmed, without empty and repeated ones', () => {
      expect(readTags([' a ', '', 'a', 'A'])).to.deep.equal(['a', 'A']);
    });

    it('are limited to 100 tags of 256 characters', () => {
      expect(() => readTags(Array.from({ length: 101 }, (_, index) => `tag-${index}`))).to.throw(
        "'tags' must hold at most 100 tags (101 provided)",
      );
      expect(() => readTags(['x'.repeat(257)])).to.throw('at most 256 characters');
      const levels = (count: number): string => Array.from({ length: count }, (_, level) => level).join('/');
      expect(readTags([levels(16)])).to.have.length(1);
      expect(() => readTags([levels(17)])).to.throw('at most 16 levels');
      expect(readTags(['x'.repeat(256)])).to.have.length(1);
    });
  });

  describe('metadata', () => {
    it('is limited to 64 KB of JSON', () => {
      const fits = { text: 'x'.repeat(64 * 1024 - '{"text":""}'.length) };
      expect(readJsonObject(fits, 'metadata')).to.equal(fits);
      expect(() => readJsonObject({ text: `${fits.text}x` }, 'metadata')).to.throw(
        "'metadata' must be at most 65536 bytes of JSON (65537 provided)",
      );
    });

    it('is limited in depth, so that it can be serialized', () => {
      const nested = JSON.parse(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`) as Record<string, unknown>;
      expect(() => readJsonObject(nested, 'metadata')).to.throw("'metadata' must not be nested deeper than 64 levels");
    });
  });

  describe('a timestamp', () => {
    it('is null when absent, null or empty', () => {
      for (const nothing of [undefined, null, '']) expect(readTimestamp(nothing, 't_valid')).to.equal(null);
    });

    it('is returned in the format of the contract', () => {
      expect(readTimestamp('2024-01-01T10:00:00+0200', 't_valid')).to.equal('2024-01-01T08:00:00+00:00');
    });

    it('is refused with a reason and its field, except `timestamp`', () => {
      expect(() => readTimestamp('soon', 't_valid')).to.throw('Invalid t_valid: Invalid ISO timestamp');
      expect(() => readTimestamp('  ', 'updated_at')).to.throw(
        'Invalid updated_at: Timestamp must be a non-empty ISO formatted string',
      );
      expect(() => readTimestamp('soon', 'timestamp', 'bare')).to.throw(/^Invalid ISO timestamp$/u);
    });
  });

  describe('an embedding', () => {
    it('must have as many values as the index', () => {
      expect(() => readEmbedding([1, 2], 3)).to.throw('Embedding must contain exactly 3 values');
      expect([...readEmbedding([1, 2, 3], 3)]).to.deep.equal([1, 2, 3]);
    });

    it('must have finite 32-bit values, not all of them zero', () => {
      expect(() => readEmbedding([1, 1e39, 0], 3)).to.throw('finite');
      expect(() => readEmbedding([0, 0, 0], 3)).to.throw('zeros');
      expect(() => readEmbedding([0, 1e-60, 0], 3)).to.throw('zeros');
    });
  });
});
