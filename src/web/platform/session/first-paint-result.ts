/** What the first-paint script passes on to the app. */
export type FirstPaintResult = {
  /** The app starts after it. It settles even if the browser's storage does not answer. */
  firstPaint: Promise<void>;
  /** The cookie's token if its session was signed out of. It may settle after the app has started. */
  endedToken: Promise<string | null>;
  /**
   * The same token, once its session is ended by an app that started before `endedToken` settled. Requests wait for
   * it.
   */
  signedOutToken: Promise<string | null>;
};

/** Empty if the first-paint script did not run. */
export function findFirstPaintResult(): Partial<FirstPaintResult> {
  return window as Partial<FirstPaintResult>;
}
