/** The header by which an answer to a write says where its last event stands in the journal; `consistent_with` of a read takes it. */
export const RECEIPT_HEADER = 'Memory-Position';
