/** Rows on the parameters that weigh, expand and end a recall. They ask about the memories of `parameters.ts`. */
import { aNumber, absent, counting, holding } from './pattern.js';
import type { Table } from './row.js';

const LAMPS = 'tags=lamps&adaptive_floor=no';

export const laterParameters: Table = {
  subject: 'parameters that weigh, expand and end',
  scope: 'lamps',
  rows: [
    {
      of: 'context', fact: 'context is a label in lower case whose tag counts more',
      ask: `${LAMPS}&context=Colourless&limit=1`, finds: ['plain'],
      shows: { context_priority: { context: 'colourless', priority_tags: ['colourless'] } },
    },
    {
      of: 'language', fact: 'language raises what is about it', ask: `${LAMPS}&language=py&limit=1`, finds: ['style'],
      shows: { context_priority: { language: 'python' } },
    },
    {
      of: 'active_path', fact: 'active_path names the language by its extension',
      ask: `${LAMPS}&active_path=src/a.py&limit=1`, finds: ['style'],
      shows: { context_priority: { language: 'python' } },
    },
    {
      of: 'context_tags', fact: 'context_tags count more', ask: `${LAMPS}&context_tags=Nothing,Colourless&limit=1`, finds: ['plain'],
      shows: { context_priority: { priority_tags: ['colourless', 'nothing'] } },
    },
    {
      of: 'context_types', fact: 'context_types count more, whatever their case',
      ask: `${LAMPS}&context_types=habit&limit=1`, finds: ['blue'],
      shows: { context_priority: { priority_types: ['Habit'] } },
    },
    {
      of: 'priority_ids', fact: 'priority_ids come first, in their order',
      ask: `${LAMPS}&priority_ids={ann},nobody&priority_ids={plain}&limit=3`, finds: ['ann', 'plain', 'red'],
    },
    {
      of: 'expand_relations', fact: 'expand_relations adds what is associated',
      ask: `${LAMPS}&limit=1&expand_relations=on`, findsAll: ['red', 'shed', 'blue'],
      shows: { expansion: { expanded_count: 2 } },
    },
    {
      of: 'expand_entities', fact: 'expand_entities adds what shares people',
      ask: 'tags=lamps&query=shed&limit=1&expand_entities=y', finds: ['shed', 'ann'],
      shows: { entity_expansion: { expanded_count: 1 } },
    },
    {
      of: 'expand_respect_tags', fact: 'expand_respect_tags holds what is added to the tags',
      ask: 'tags=colour/red&expand_relations=1&expand_respect_tags=true', finds: ['red'],
      shows: { expansion: { respect_tags: true } },
    },
    {
      of: 'relation_limit', fact: 'relation_limit is how many associations of each result are followed',
      ask: `${LAMPS}&limit=1&expand_relations=1&relation_limit=1`, finds: ['red', 'blue'],
    },
    ...[['0', 1], ['-3', 1], ['999999999999', 200], ['many', 5], ['2.5', 5]].map(([given = '', used = 0]) => (
      { of: 'relation_limit', fact: `relation_limit=${given} is ${used}`, ask: `${LAMPS}&expand_relations=1&relation_limit=${given}`, shows: { expansion: { relation_limit: used } } })),
    {
      of: 'expansion_limit', fact: 'expansion_limit is how many are added in all',
      ask: `${LAMPS}&limit=1&expand_relations=1&expansion_limit=1`, finds: ['red', 'blue'],
    },
    ...[['0', 1], ['-3', 1], ['100000', 500], ['NaN', 25], ['', 25]].map(([given = '', used = 0]) => (
      { of: 'expansion_limit', fact: `expansion_limit=${given} is ${used}`, ask: `${LAMPS}&expand_relations=1&expansion_limit=${given}`, shows: { expansion: { expansion_limit: used } } })),
    {
      of: 'expand_min_importance', fact: 'expand_min_importance is the least of what is added',
      ask: `${LAMPS}&limit=1&expand_relations=1&expand_min_importance=0.5`, finds: ['red', 'blue'],
    },
    {
      of: 'expand_min_importance', fact: 'expand_min_importance is clamped, and ignored where it cannot be read',
      ask: [`${LAMPS}&limit=1&expand_relations=1&expand_min_importance=-4`, `${LAMPS}&limit=1&expand_relations=1&expand_min_importance=high`],
      shows: { count: 3 },
    },
    {
      of: 'expand_min_strength', fact: 'expand_min_strength is the least of what is followed',
      ask: `${LAMPS}&limit=1&expand_relations=1&expand_min_strength=0.3`, finds: ['red', 'shed'],
    },
    { of: 'expand_min_strength', fact: 'expand_min_strength is clamped', ask: `${LAMPS}&limit=1&expand_relations=1&expand_min_strength=7`, finds: ['red'] },
    {
      of: 'min_score', fact: 'min_score drops what scores less, and is clamped',
      ask: [`${LAMPS}&min_score=1`, `${LAMPS}&min_score=44`], finds: [], shows: { score_filter: { min_score: 1 } },
    },
    {
      of: 'min_score', fact: 'a min_score that cannot be read, or is below 0, drops nothing',
      ask: [`${LAMPS}&min_score=high`, `${LAMPS}&min_score=-1`], sameAs: LAMPS, shows: { score_filter: absent },
    },
    {
      of: 'adaptive_floor', fact: 'adaptive_floor drops what is far below the best, as it does by default',
      ask: ['tags=lamps&query=shades+of+silk&limit=4&adaptive_floor=yes', 'tags=lamps&query=shades+of+silk&limit=4', 'tags=lamps&query=shades+of+silk&limit=4&adaptive_floor=perhaps'],
      shows: { score_filter: { adaptive_floor: aNumber } },
    },
    {
      of: 'adaptive_floor', fact: 'adaptive_floor=0 drops nothing',
      ask: 'tags=lamps&query=silk+shades+of&adaptive_floor=0&limit=7',
      shows: { score_filter: absent, results: counting(7) },
    },
    {
      of: 'recency_bias', fact: 'recency_bias=on, in any case, leans to what is new',
      ask: [`${LAMPS}&recency_bias=on`, `${LAMPS}&recency_bias=ON`], shows: { recency_bias: 'on' },
    },
    {
      of: 'recency_bias', fact: 'recency_bias that cannot be read is off',
      ask: [`${LAMPS}&query=latest+lamp&recency_bias=very`, `${LAMPS}&query=latest+lamp&recency_bias=off`],
      shows: { recency_bias: absent },
    },
    {
      of: 'scope_fallback', fact: 'scope_fallback fills what the tags leave short',
      ask: 'tags=colourless&query=blue+lamp&scope_fallback=1&limit=3', shows: { count: 3, scope_fallback: true },
    },
    {
      of: 'state_mode', fact: 'state_mode is current or history, in any case',
      ask: [`${LAMPS}&state_mode=history`, `${LAMPS}&state_mode=HISTORY`],
      shows: { state_mode: 'history', state_filter: absent },
    },
    {
      of: 'state_mode', fact: 'any other state_mode is refused, also beside current_only',
      ask: ['state_mode=soon', 'state_mode=soon&current_only=true'], refuses: "'state_mode' must be 'current' or 'history'",
    },
    {
      of: 'current_only', fact: 'current_only decides alone where it can be read',
      ask: ['current_only=no&tags=lamps', 'current_only=0&state_mode=current&tags=lamps'],
      shows: { state_mode: 'history' },
    },
    {
      of: 'current_only', fact: 'current_only that cannot be read leaves state_mode to decide',
      ask: 'current_only=perhaps&state_mode=history&tags=lamps', shows: { state_mode: 'history' },
    },
    {
      of: 'state_debug', fact: 'state_debug adds details to state_filter', ask: `${LAMPS}&state_debug=1`,
      shows: { state_filter: { suppressed: [], replacements: [] } },
    },
    {
      of: 'explain', fact: 'explain shows the evidence of each result',
      ask: `${LAMPS}&query=blue&limit=1&explain=true`,
      shows: { results: { 0: { explain: { terms: { content: holding('blue') } } } } },
    },
    {
      of: 'consistent_with', fact: 'consistent_with says whether the answer shows a position', ask: `${LAMPS}&consistent_with=1`,
      shows: { consistency: { position: 1, index: true, graph: true, waited_ms: aNumber } },
    },
    {
      of: 'consistent_with', fact: 'consistent_with is refused beyond the journal', ask: `${LAMPS}&consistent_with=999999999`,
      refuses: "'consistent_with' is 999999999, beyond the journal's last position",
    },
    { fact: 'what no parameter is named is ignored', ask: `${LAMPS}&format=detailed&offset=3&page=2&page=3`, sameAs: LAMPS },
  ],
};
