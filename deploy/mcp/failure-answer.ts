/** What a model is told when the service refused a call or did not answer it: the reason, and what to do next. */
import type { ClientAnswer } from '../../shared/client/create-client.js';
import { failed, type ToolAnswer } from './tool.js';

export type Failure = Exclude<ClientAnswer, { readonly kind: 'answered' }>;

export function failureAnswer({ message }: Failure): ToolAnswer {
  return failed(message);
}
