/** A scanner types faster than people. In milliseconds between two keys. */
const LONGEST_PAUSE_MS = 100;
/** Fewer keys are not a code. */
const SHORTEST = 4;
const ENDS = ['Enter', 'Tab'];

/**
 * Reads what a scanner types that acts as a keyboard, with or without Enter at its end. Keys go to a field that has the
 * focus, as people's do. Returns a function that stops it.
 */
export function readWedge(onText: (text: string) => void): () => void {
  let text = '';
  let lastAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    const typed = text;
    text = '';
    if (typed.length >= SHORTEST) onText(typed);
  }

  function handleKey(event: KeyboardEvent): void {
    if (isTyping(event.target) || event.ctrlKey || event.altKey || event.metaKey) {
      text = '';
      return;
    }
    const isSlow = event.timeStamp - lastAt > LONGEST_PAUSE_MS;
    if (ENDS.includes(event.key)) {
      if (isSlow || text.length < SHORTEST) return;
      // It must not press the button that has the focus.
      event.preventDefault();
      flush();
      return;
    }
    if (event.key.length !== 1) return;
    if (isSlow) text = '';
    else if (text !== '') event.preventDefault();
    text += event.key;
    lastAt = event.timeStamp;
    clearTimeout(timer);
    timer = setTimeout(flush, LONGEST_PAUSE_MS);
  }

  // Before the controls of the page, which react to keys too.
  document.addEventListener('keydown', handleKey, true);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('keydown', handleKey, true);
  };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, [contenteditable]') !== null;
}
