/** Ten minutes: longer than any queue at the gate, and short enough for the battery. */
const LONGEST_MS = 10 * 60_000;

/**
 * Keeps the screen on while the element is visible. Returns a function that stops it.
 * @param options limitMs: after this time the screen may sleep; null: never
 */
export function keepScreenOn(
  element: Element,
  { limitMs = LONGEST_MS }: { limitMs?: number | null } = {},
): () => void {
  const { wakeLock } = navigator as Partial<Pick<Navigator, 'wakeLock'>>;
  if (wakeLock === undefined || typeof IntersectionObserver === 'undefined') return () => {};
  let isSeen = false;
  let lock: Promise<WakeLockSentinel | null> | null = null;
  let limit: ReturnType<typeof setTimeout> | undefined;

  function release() {
    clearTimeout(limit);
    const held = lock;
    lock = null;
    void held?.then((sentinel) => sentinel?.release()).catch(() => undefined);
  }

  /** Hidden pages lose their lock, so it is requested again when the page is visible. */
  function settle() {
    const wants = isSeen && document.visibilityState === 'visible';
    if (!wants) release();
    else if (lock === null) {
      // Refused when the battery is low.
      lock = wakeLock?.request('screen').catch(() => null) ?? null;
      if (limitMs !== null) limit = setTimeout(release, limitMs);
    }
  }

  const observer = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1)?.isIntersecting ?? false;
    settle();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', settle);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', settle);
    release();
  };
}
