/** An event or an activity, as the live stream sends it. `id`: the position of an event, null for an activity. */
export type Frame = {
  readonly id: string | null;
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
};
