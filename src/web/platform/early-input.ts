/** An element of a snapshot, named so that the app's element in its place is found. */
type Place = { name: string; index: number };
/** A press, or a typed value. */
type EarlyInput = Place & { value: string | null; link: HTMLAnchorElement | null };

const PRESSED = 'a[href], button, summary, [type="checkbox"], [type="radio"]';
const TYPED = 'input, select, textarea';
/** How long an element is looked for: the app may show other content first. Milliseconds. */
const FIND_WITHIN = 3000;

/**
 * Queues what customers press and type on a painted snapshot, which has no handlers yet, and repeats it on the app's
 * elements once they have replaced the snapshot. Until then pressed elements are marked. Links to other origins work as
 * usual.
 * @returns takes a link to another path if it was pressed last: the app can start there, and repeats nothing
 */
export function replayEarlyInput(root: HTMLElement): () => string | null {
  const snapshot = root.firstElementChild;
  const queue: EarlyInput[] = [];
  let focused: Place | null = null;
  const stopped = new AbortController();

  function press(event: Event, selector: string): void {
    const element = findWithin(snapshot, event.target, selector);
    if (element === null || isLeftToBrowser(element, event)) return;
    // A checkbox shows its new state.
    if (!(element instanceof HTMLInputElement)) event.preventDefault();
    if (element.hasAttribute(QUEUED)) return;
    const link = element instanceof HTMLAnchorElement ? element : null;
    queue.push({ ...findPlace(root, element), value: null, link });
    if (element instanceof HTMLInputElement) return;
    element.setAttribute(QUEUED, '');
    element.setAttribute('aria-busy', 'true');
  }

  function type({ target }: Event): void {
    const field = findWithin(snapshot, target, TYPED);
    if (!isField(field) || field.matches(PRESSED)) return;
    const place = findPlace(root, field);
    const known = queue.find(({ name, index }) => name === place.name && index === place.index);
    if (known) known.value = field.value;
    else queue.push({ ...place, value: field.value, link: null });
  }

  const options = { capture: true, signal: stopped.signal };
  root.addEventListener('click', (event) => press(event, PRESSED), options);
  root.addEventListener('submit', (event) => press(event, 'form'), options);
  root.addEventListener('input', type, options);
  root.addEventListener(
    'focusin',
    ({ target }) => {
      const element = findWithin(snapshot, target, `${PRESSED}, ${TYPED}`);
      focused = element && findPlace(root, element);
    },
    options,
  );

  whenReplaced(root, snapshot, async () => {
    stopped.abort();
    const touched = new AbortController();
    for (const type of ['pointerdown', 'keydown'])
      window.addEventListener(type, () => touched.abort(), { capture: true, signal: touched.signal });
    if (focused && document.activeElement === document.body)
      findAt(root, focused)?.focus({ preventScroll: true });
    for (const input of queue) {
      const element = await findSoon(root, input, touched.signal);
      if (touched.signal.aborted) return;
      if (element !== null) repeat(element, input.value);
      await new Promise((resolve) => setTimeout(resolve));
    }
    touched.abort();
  });
  return () => {
    const link = queue.at(-1)?.link;
    if (!link || link.pathname === window.location.pathname) return null;
    queue.length = 0;
    focused = null;
    return link.pathname + link.search + link.hash;
  };
}

/** Marks elements whose press is queued; start.css shows it. */
const QUEUED = 'data-queued';

function findWithin(snapshot: Element | null, target: EventTarget | null, selector: string) {
  const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
  return element !== null && snapshot?.contains(element) ? element : null;
}

/** Other origins, other windows and places within the page need no app. */
function isLeftToBrowser(element: Element, event: Event): boolean {
  if (!(element instanceof HTMLAnchorElement)) return false;
  const { ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent;
  const isElsewhere = element.origin !== window.location.origin || element.target !== '';
  const isPlace = element.getAttribute('href')?.startsWith('#') || element.hasAttribute('download');
  return isElsewhere || isPlace || ctrlKey || metaKey || shiftKey || altKey;
}

function isField(element: Element | null): element is HTMLInputElement | HTMLSelectElement {
  return element !== null && 'value' in element;
}

function findPlace(root: HTMLElement, element: HTMLElement): Place {
  const name = getName(element);
  return { name, index: findNamed(root, name).indexOf(element) };
}

function findAt(root: HTMLElement, { name, index }: Place): HTMLElement | null {
  return findNamed(root, name)[index] ?? null;
}

function findNamed(root: HTMLElement, name: string): HTMLElement[] {
  const all = root.querySelectorAll<HTMLElement>(`${PRESSED}, ${TYPED}, form`);
  return [...all].filter((element) => getName(element) === name);
}

/** The kind of the element, the item it belongs to, and its address or label. */
function getName(element: HTMLElement): string {
  const item = element.closest('[data-order], li, article, section');
  const itemName = item?.getAttribute('data-order') ?? item?.querySelector('h2, h3')?.textContent;
  const { labels } = element as Partial<HTMLInputElement>;
  const label = ['href', 'aria-label', 'name'].map((name) => element.getAttribute(name)).find(Boolean);
  return [element.tagName, itemName, label ?? (labels?.[0] ?? element).textContent].join(' ');
}

function repeat(element: HTMLElement, value: string | null): void {
  if (element instanceof HTMLFormElement) element.requestSubmit();
  else if (value === null) element.click();
  else {
    // React notices a change only if its own setter is bypassed.
    const prototype: unknown = Object.getPrototypeOf(element);
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
    for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function whenReplaced(root: HTMLElement, snapshot: Element | null, work: () => Promise<void>): void {
  const observer = new MutationObserver(() => {
    if (snapshot?.isConnected) return;
    observer.disconnect();
    void work();
  });
  observer.observe(root, { childList: true });
}

async function findSoon(root: HTMLElement, place: Place, signal: AbortSignal): Promise<HTMLElement | null> {
  const end = performance.now() + FIND_WITHIN;
  for (;;) {
    const element = findAt(root, place);
    if (element !== null || signal.aborted || performance.now() > end) return element;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
