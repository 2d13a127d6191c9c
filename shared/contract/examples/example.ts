/** One example of an operation: a request, and its answer. The OpenAPI document shows both, and a test sends it. */
import type { Memory, MemoryId } from '../memory.js';

export type Example = {
  /** Values of the path and of the query, by name. */
  readonly parameters?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: object;
  /** The body of the answer with the first status of the operation. */
  readonly reply: unknown;
};

export const AT = '2026-06-01T08:30:00.000000+00:00';
export const TEA_ID = '0197281b-6f40-4c5e-9d3a-51c7e2b80a11' as MemoryId;
export const COFFEE_ID = '0197281b-6f40-4c5e-9d3a-51c7e2b80a12' as MemoryId;
export const ORDER_ID = '0197281b-6f40-4c5e-9d3a-51c7e2b80a13' as MemoryId;
export const JOB_ID = '0197281c-0a20-4f11-8b6e-d27c40a95e02';
export const WEBHOOK_ID = '0197281d-52b0-4a36-9c1f-3e8807d64b21';
export const KEY_ID = '0197281d-9c44-4d0f-8f12-6b70c1e5a938';
export const TENANT_ID = '0197281d-a1f0-4e27-b3c8-52d90e7f1b64';
export const EVENT_ID = '0197281b-6f41-4a77-b0c2-9e63f81d4c07';
export const REQUEST_ID = '0197281b-6f3f-4be0-a1d5-7c20e94f6b33';

export const TEA: Memory = {
  id: TEA_ID,
  content: 'Anna Berg prefers green tea in the morning.',
  type: 'Preference',
  confidence: 0.9,
  tags: ['anna', 'drinks'],
  tag_prefixes: ['anna', 'drinks'],
  importance: 0.8,
  metadata: {},
  timestamp: AT,
  updated_at: AT,
  last_accessed: AT,
  t_valid: AT,
  enriched: false,
  processed: false,
};

/** The summary of a memory that is associated with `TEA`. */
export const COFFEE = {
  id: COFFEE_ID,
  type: 'Context',
  timestamp: AT,
  summary: 'Anna Berg drank coffee until the spring of 2026.',
  importance: 0.5,
  confidence: 0.9,
  tags: ['anna', 'drinks'],
};
