import type { CommitStep, Failpoints } from '../../../shared/ports/committer.js';

/** Failpoints that pause one commit at a step until `release`. */
export function holdingFailpoints() {
  let heldStep: CommitStep | null = null;
  let release = (): void => undefined;
  let reach = (): void => undefined;
  let reached = Promise.resolve();
  const failpoints: Failpoints = {
    hit: (step) => {
      if (step !== heldStep) return;
      heldStep = null;
      reach();
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  };
  return {
    failpoints,
    hold: (step: CommitStep): void => {
      heldStep = step;
      reached = new Promise((resolve) => {
        reach = resolve;
      });
    },
    reached: () => reached,
    release: () => release(),
  };
}
