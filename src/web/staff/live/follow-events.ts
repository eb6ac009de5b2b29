/** How long a refused stream waits before it is tried again: doubled each time, up to the longest. */
const PAUSE_MS = { first: 15_000, longest: 300_000 };

type Following = {
  onEvent: (topic: string) => void;
  /** The page was hidden, or the connection lost, so anything may have changed meanwhile. */
  onReturn: () => void;
};

/**
 * Follows server-sent events while the page is visible, because browsers with HTTP/1.1 have six connections for all tabs
 * of a site. Failures are silent: screens also ask by themselves from time to time.
 * @returns a function that ends it
 */
export function followEvents(url: string, { onEvent, onReturn }: Following): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = PAUSE_MS.first;
  let hasBeenOpen = false;

  function open(): void {
    clearTimeout(timer);
    source = new EventSource(url);
    source.onopen = () => {
      pause = PAUSE_MS.first;
      if (hasBeenOpen) onReturn();
      hasBeenOpen = true;
    };
    source.onmessage = ({ data }: MessageEvent<string>) => onEvent(data);
    source.onerror = () => {
      // After a lost connection browsers try again by themselves, after a refusal they do not.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(openIfVisible, pause);
      pause = Math.min(pause * 2, PAUSE_MS.longest);
    };
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function openIfVisible(): void {
    if (document.visibilityState === 'hidden') close();
    else if (source === null) open();
  }

  document.addEventListener('visibilitychange', openIfVisible);
  openIfVisible();
  return () => {
    document.removeEventListener('visibilitychange', openIfVisible);
    close();
  };
}
