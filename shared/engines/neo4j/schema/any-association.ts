/**
 * Association types for Cypher patterns. A pattern without types would also match the self-relationships that hold
 * tags.
 */
import { ASSOCIATION_TYPES, SUPERSEDING_TYPES } from '../../../contract/association.js';

export const ANY_ASSOCIATION = Object.keys(ASSOCIATION_TYPES).join('|');
export const ANY_SUPERSEDING = SUPERSEDING_TYPES.join('|');
