/** Association types as patterns name them. A pattern without types would also meet the loops that hold a memory's tags. */
import { ASSOCIATION_TYPES, SUPERSEDING_TYPES } from '../../contract/association.js';

export const ANY_ASSOCIATION = Object.keys(ASSOCIATION_TYPES).join('|');
export const ANY_SUPERSEDING = SUPERSEDING_TYPES.join('|');
