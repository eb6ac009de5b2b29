/** When a page counts as arrived. Both are about what a customer sees, not about what a script says. */
export type Wanted = {
  /** All of these must be visible, with a text or value that fits the pattern. */
  readable: { css: string; pattern: string }[];
  /** A button, and where its answer shows: usable is the first frame that shows an answer to a tap. */
  tap: { button: string; answer: string } | null;
};

export type Timeline = {
  /** Milliseconds since the navigation began, of the first painted frame. */
  firstPaint: number | null;
  readable: number | null;
  /** The newest of the browser's own guesses at when the main thing was painted. */
  largestPaint: number | null;
  usable: number | null;
  /** Start and duration of each task longer than 50 ms. */
  longTasks: [start: number, duration: number][];
  layoutShift: number;
};

declare global {
  // Kept on the page under measurement, read from outside.
  var __timeline: Timeline | undefined;
}

/** Runs in the page before any script of its own. Self-contained, because it travels as text. */
export function installProbe(wanted: Wanted): void {
  if (window.top !== window || globalThis.__timeline) return;
  const timeline: Timeline = {
    firstPaint: null,
    readable: null,
    largestPaint: null,
    usable: null,
    longTasks: [],
    layoutShift: 0,
  };
  globalThis.__timeline = timeline;
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') timeline.firstPaint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    timeline.largestPaint = startTime;
  });
  watch('longtask', ({ startTime, duration }) => timeline.longTasks.push([startTime, duration]));
  watch('layout-shift', (entry) => {
    const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!shift.hadRecentInput) timeline.layoutShift += shift.value;
  });

  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true });
  };
  const textOf = (element: Element) => `${element.textContent} ${(element as HTMLInputElement).value ?? ''}`;
  // The answer of a button that opens or toggles.
  const stateOf = (element: Element) => `${textOf(element)} ${element.ariaExpanded} ${element.ariaPressed}`;
  const isReadable = () =>
    wanted.readable.every(({ css, pattern }) =>
      [...document.querySelectorAll(css)].some(
        (element) => new RegExp(pattern).test(textOf(element)) && isShown(element),
      ),
    );
  let before: string | null = null;
  let tappedAt = 0;
  const hasAnswered = () => {
    if (wanted.tap === null) return true;
    const button = document.querySelector<HTMLElement>(wanted.tap.button);
    const answer = document.querySelector(wanted.tap.answer);
    if (!button || !answer) return false;
    before ??= stateOf(answer);
    if (stateOf(answer) !== before) return true;
    if (performance.now() - tappedAt > 50) {
      tappedAt = performance.now();
      button.click();
    }
    return false;
  };
  // The message arrives after the frame whose callback sent it was painted.
  const afterPaint = (work: () => void) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = work;
    port2.postMessage(null);
  };
  let isFound = false;
  const look = () => {
    if (!isFound && isReadable()) {
      isFound = true;
      afterPaint(() => {
        timeline.readable = performance.now();
      });
    }
    if (isFound && hasAnswered()) {
      afterPaint(() => {
        timeline.usable = performance.now();
      });
      return;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
