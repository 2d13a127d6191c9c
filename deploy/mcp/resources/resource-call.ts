/** What the reader of a resource needs of a call. */
import type { ToolCall } from '../tool.js';

export type ResourceCall = Pick<ToolCall, 'client' | 'signal'>;
