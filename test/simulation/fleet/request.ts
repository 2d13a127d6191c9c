/** A request of one process to another one. It fails when that process crashes before its answer. */
import type { SimulatedProcess, World } from '../world/world.js';

export type Route = {
  readonly world: World;
  readonly from: SimulatedProcess;
  readonly to: SimulatedProcess;
  readonly step: string;
};

export function request<T>({ world, from, to, step }: Route, handle: () => Promise<T>): Promise<T> {
  return world.call(
    from,
    step,
    () =>
      new Promise<T>((resolve, reject) => {
        to.onCrash(() => reject(new Error('connection reset')));
        to.enter(() => void handle().then(resolve, reject));
      }),
  );
}
