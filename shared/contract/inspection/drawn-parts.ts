/** The memories and associations that a client draws: the parts of the answers of the graph routes. */
import { metadataObject } from '../memory.js';
import { closed, number, text, textList } from '../reply-parts.js';

const color = { ...text, description: '#RRGGBB.' } as const;

const drawn = {
  id: text,
  content: text,
  type: text,
  importance: number,
  confidence: number,
  tags: textList,
  color,
  radius: { ...number, description: '0.5 + 1.5 x importance.' },
  opacity: { ...number, description: '0.4 + 0.6 x confidence.' },
} as const;

export const drawnNeighbour = closed(drawn);
export const drawnSimilar = closed({ ...drawn, similarity: { ...number, description: 'Cosine, 4 decimals.' } });
export const drawnMemory = closed({ ...drawn, timestamp: text, updated_at: text, metadata: metadataObject });

const association = {
  id: { ...text, description: '`<source>-<type>-<target>`.' },
  source: text,
  target: text,
  type: text,
  strength: number,
  color,
} as const;

export const drawnAssociation = closed(association);
export const drawnWithProperties = closed({
  ...association,
  properties: { type: 'object', additionalProperties: true },
});
