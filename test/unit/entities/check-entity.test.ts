/** The quality gate: names that become tags in a category, and the reasons for rejecting other names. */
import { expect } from 'chai';
import fc from 'fast-check';
import { checkEntity, ENTITY_NAME_LIMIT } from '../../../shared/entities/check-entity.js';

const GOLDEN_ACCEPTED = [
  ['people', 'Alice', 'people', 'alice', 0.6],
  ['people', 'Alice Johnson', 'people', 'alice-johnson', 0.95],
  ['people', 'Ludwig van Beethoven', 'people', 'ludwig-van-beethoven', 0.95],
  ['people', 'Ann B Cook', 'people', 'ann-b-cook', 0.95],
  ['person', 'bob-smith-s', 'people', 'bob-smith', 0.95],
  ['tools', 'claude-code', 'tools', 'claude-code', 0.95],
  ['projects', 'config', 'projects', 'config', 0.95],
] as const;

const ACCEPTED = [
  ['People', "Mary O'Brien", 'people', 'mary-o-brien', 0.95],
  ['people', 'Jean-Pierre Martin', 'people', 'jean-pierre-martin', 0.95],
  ['people', 'Ronald McDonald', 'people', 'ronald-mcdonald', 0.95],
  ['people', 'Clement', 'people', 'clement', 0.6],
  ['people', 'Nikolai', 'people', 'nikolai', 0.6],
  ['people', '李雷', 'people', '李雷', 0.6],
  ['organization', 'University of Oslo', 'organizations', 'university-of-oslo', 0.95],
  ['opportunity', 'Acme renewal', 'opportunities', 'acme-renewal', 0.95],
  ['events', 'Boston Marathon', 'events', 'boston-marathon', 0.95],
  ['tool', 'React Native', 'tools', 'react-native', 0.95],
  ['concepts', 'May Fourth Movement', 'concepts', 'may-fourth-movement', 0.95],
] as const;

const GOLDEN_REFUSED = [
  ['people', 'Data Dog', 'low_signal_people_slug'],
  ['people', 'GitHub', 'tool_or_organization_looking_people'],
  ['places', 'Paris', 'unknown_category'],
  ['concepts', 'the-thing', 'generic_entity_slug'],
  ['tools', 'v2', 'too_short'],
  ['tools', 'deployed', 'generic_entity_slug'],
  ['projects', 'phase-one', 'generated_phrase_slug'],
  ['tools', '12-items', 'duration_or_count_slug'],
] as const;

const REFUSED = [
  ['concepts', '3h', 'duration_or_count_slug'],
  ['concepts', '12', 'duration_or_count_slug'],
  ['concepts', '10-30', 'duration_or_count_slug'],
  ['concepts', '5 days', 'duration_or_count_slug'],
  ['concepts', 'caf\\u00e9', 'unicode_escape_slug'],
  ['projects', '8f14e45fceea167a', 'generated_fragment_slug'],
  ['projects', 'build-a1b2c3d4', 'generated_fragment_slug'],
  ['projects', 'package-json', 'markdown_or_code_fragment'],
  ['concepts', 'async function', 'markdown_or_code_fragment'],
  ['events', 'March 2024', 'generated_phrase_slug'],
  ['projects', 'one two more words than names have', 'generated_phrase_slug'],
  ['projects', 'login page done', 'generated_phrase_slug'],
  ['projects', 'fix login', 'generic_entity_slug'],
  ['concepts', 'readiness', 'generic_entity_slug'],
  ['concepts', 'System', 'generic_entity_slug'],
  ['events', 'Monday', 'generic_entity_slug'],
  ['people', 'Platform Team', 'low_signal_people_slug'],
  ['people', 'Deployment', 'low_signal_people_slug'],
  ['people', 'Agent 47', 'low_signal_people_slug'],
  ['people', 'Blink 182', 'non_name_people_slug'],
  ['people', 'Anna Maria Luisa', 'non_name_people_slug'],
  ['people', 'Duran Duran', 'non_name_people_slug'],
  ['people', 'Scale AI', 'tool_or_organization_looking_people'],
  ['people', 'Redis', 'tool_or_organization_looking_people'],
  ['people', 'Google', 'tool_or_organization_looking_people'],
  ['tools', '', 'invalid_entity_tag'],
  ['tools', '!!!', 'invalid_entity_tag'],
  ['tools', 'x'.repeat(ENTITY_NAME_LIMIT + 1), 'invalid_entity_tag'],
] as const;

describe('checkEntity', () => {
  for (const [category, name, ...[known, slug, confidence]] of [...GOLDEN_ACCEPTED, ...ACCEPTED]) {
    it(`accepts ${category}/${name} as ${known}/${slug}`, () => {
      expect(checkEntity({ category, name })).to.deep.equal({ ok: true, category: known, slug, confidence });
    });
  }

  for (const [category, name, reason] of [...GOLDEN_REFUSED, ...REFUSED]) {
    it(`rejects ${category}/${name.slice(0, 40)}: ${reason}`, () => {
      expect(checkEntity({ category, name })).to.deep.equal({ ok: false, reason });
    });
  }

  it('gives a name and its slug the same verdict, except for people', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('tools', 'projects', 'concepts', 'events'),
        fc.string({ maxLength: 60 }),
        (category, name) => {
          const verdict = checkEntity({ category, name });
          if (verdict.ok) expect(checkEntity({ category, name: verdict.slug })).to.deep.equal(verdict);
        },
      ),
    );
  });
});
