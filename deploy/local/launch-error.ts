/** What stands in the way of a launch and what a person can do about it; it is shown without a stack. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
