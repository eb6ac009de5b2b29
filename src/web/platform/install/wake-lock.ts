/** Long enough for any queue at the gate, and no reason to empty a battery. */
const LONGEST_MS = 10 * 60_000;

/** Keeps the screen from going dark while the element is in sight. Answers how to stop. */
export function stayAwakeWhileSeen(element: Element): () => void {
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

  /** A hidden page loses its lock, so one that is seen again asks anew. */
  function settle() {
    const wants = isSeen && document.visibilityState === 'visible';
    if (!wants) release();
    else if (lock === null) {
      // Refused when the battery is low: then the phone knows best.
      lock = wakeLock?.request('screen').catch(() => null) ?? null;
      limit = setTimeout(release, LONGEST_MS);
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
