/** What the script of the first paint leaves for the app. */
export type Opening = {
  /** The app's own start is put off until this is done, but not for a storage that does not answer. */
  firstPaint: Promise<void>;
  /** The token in the cookie, when its session was signed out of. It may be known later than the app starts. */
  endedToken: Promise<string | null>;
  /** Set by an app that started before that was known: the same, once the session is left. Requests wait for it. */
  leftToken: Promise<string | null>;
};

/** Nothing where no such script has run. */
export function findOpening(): Partial<Opening> {
  return window as Partial<Opening>;
}
