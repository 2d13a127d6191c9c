/** Sentences about what an action did, which the page shows for a while. */
import type { OperationName } from '../../../../shared/contract/operations.js';
import { observable } from './observable.js';

export type ToastKind = 'done' | 'note';
export type Toast = { readonly kind: ToastKind; readonly text: string; readonly number: number };

/** One of each kind: a new one takes the place of the old one. */
export const toasts = observable<readonly Toast[]>([]);

let number = 0;

export function showToast(text: string, kind: ToastKind = 'done'): void {
  number += 1;
  toasts.set([...toasts.get().filter((toast) => toast.kind !== kind), { kind, text, number }]);
}

export function dropToast({ number: dropped }: Toast): void {
  toasts.set(toasts.get().filter((toast) => toast.number !== dropped));
}

/** In singular and plural the same: an action on several memories sends a request for each. */
const DONE: Partial<Record<OperationName, string>> = {
  updateMemory: 'Saved.',
  deleteMemory: 'Deleted.',
  storeMemory: 'Stored.',
  associate: 'Associated.',
  mergeEntity: 'Entities merged.',
  unmergeEntity: 'Merge undone.',
  pauseProjector: 'Paused.',
  resumeProjector: 'Resumed.',
  redriveDeadLetters: 'Handed to the projectors again.',
  discardDeadLetters: 'Discarded.',
  rebuildGraph: 'Rebuild of the graph requested.',
  rebuildVectors: 'Rebuild of the vector index requested.',
  reembed: 'New embedding requested.',
  createWebhook: 'Webhook created.',
  updateWebhook: 'Webhook changed.',
  deleteWebhook: 'Webhook deleted.',
  rotateWebhookSecret: 'New secret made.',
  replayWebhook: 'Replay started.',
  createKey: 'Key made.',
  rotateKey: 'Key replaced.',
  revokeKey: 'Key revoked.',
};

/** Says that an operation was successful, if it changes something. */
export function reportDone(name: OperationName): void {
  const text = DONE[name];
  if (text !== undefined) showToast(text);
}
