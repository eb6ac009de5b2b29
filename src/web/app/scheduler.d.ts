/** The package has no types of its own. */
declare module 'scheduler' {
  /** How many slices of a transition React renders per second at most, with a pause for the browser after each. */
  export function unstable_forceFrameRate(perSecond: number): void;
}
