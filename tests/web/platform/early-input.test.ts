import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replayEarlyInput } from '#web/platform/early-input.ts';
import { openPage, PORTAL } from './page.ts';

const SCREEN = `
  <main>
    <ul>
      <li data-order="AAAA"><a href="/orders?order=AAAA">Details</a><button>Show tickets</button></li>
      <li data-order="BBBB"><a href="/orders?order=BBBB">Details</a><button>Show tickets</button></li>
    </ul>
    <form><label>Reference <input></label><input type="checkbox" name="past"><select name="view"><option>a</option><option>b</option></select></form>
    <a href="https://tickets.ferry.example/">Buy tickets</a>
    <a href="/trip_cards?page=2#lost">Trip Cards</a>
  </main>`;

const TRIP_CARDS = 'a[href^="/trip_cards"]';

let root: HTMLElement;
let takePressedLink: ReturnType<typeof replayEarlyInput>;

beforeEach(() => {
  vi.useFakeTimers();
  openPage(`${PORTAL}/orders`);
  root = document.createElement('div');
  document.body.append(root);
  root.innerHTML = SCREEN;
  takePressedLink = replayEarlyInput(root);
});

afterEach(() => {
  document.body.innerHTML = '';
  vi.useRealTimers();
});

describe('what is pressed on a snapshot', () => {
  test.each([
    ['a button', '[data-order="BBBB"] button'],
    ['a link', '[data-order="BBBB"] a'],
  ])('%s is pressed in the app, once, in the same item', async (_, selector) => {
    press(selector);
    press(selector);
    const clicked = await takeOver();
    expect(clicked).toEqual([root.querySelector(selector)]);
  });

  test('is marked and does nothing else until the app runs', () => {
    const wasLeftAlone = press('[data-order="AAAA"] a');
    const link = find('[data-order="AAAA"] a');
    expect(wasLeftAlone).toBe(false);
    expect(link.getAttribute('aria-busy')).toBe('true');
    expect(link.hasAttribute('data-queued')).toBe(true);
  });

  test('a link to another path is taken once by an app that starts there, and nothing is repeated', async () => {
    press('[data-order="BBBB"] button');
    press(TRIP_CARDS);
    expect(takePressedLink()).toBe('/trip_cards?page=2#lost');
    expect(takePressedLink()).toBeNull();
    expect(await takeOver()).toEqual([]);
  });

  test('a link to the same path is not taken, because the app knows more about it than its address', async () => {
    press('[data-order="BBBB"] a');
    expect(takePressedLink()).toBeNull();
    expect(await takeOver()).toEqual([find('[data-order="BBBB"] a')]);
  });

  test('a link is not taken if something else was pressed after it', async () => {
    press(TRIP_CARDS);
    press('[data-order="AAAA"] button');
    expect(takePressedLink()).toBeNull();
    expect(await takeOver()).toEqual([find(TRIP_CARDS), find('[data-order="AAAA"] button')]);
  });

  test('is repeated in its order', async () => {
    press('[data-order="BBBB"] button');
    press('[data-order="AAAA"] button');
    const clicked = await takeOver();
    expect(clicked).toEqual([find('[data-order="BBBB"] button'), find('[data-order="AAAA"] button')]);
  });

  test('is repeated when its element appears after other content', async () => {
    press('[data-order="AAAA"] button');
    await takeOver('<main>Loading…</main>');
    const clicked = watchClicks();
    find('main').innerHTML = SCREEN;
    await vi.waitFor(() => expect(clicked).toEqual([find('[data-order="AAAA"] button')]));
  });

  test('is forgotten once the customer presses something else in the app', async () => {
    press('[data-order="AAAA"] button');
    await takeOver('<main>Loading…</main>');
    const clicked = watchClicks();
    window.dispatchEvent(new Event('pointerdown'));
    find('main').innerHTML = SCREEN;
    await vi.advanceTimersByTimeAsync(50);
    expect(clicked).toEqual([]);
  });

  test('is left to the browser if it leads to another host', () => {
    expect(press('a[href^="https:"]')).toBe(true);
  });

  test('a checkbox changes in the app', async () => {
    press('[type=checkbox]');
    const clicked = await takeOver();
    expect(clicked).toEqual([find('[type=checkbox]')]);
  });
});

test('what is typed into a snapshot is the value in the app, which learns of the change', async () => {
  const field = find<HTMLInputElement>('label input');
  field.focus();
  for (const value of ['W', 'WX']) {
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const changes = vi.fn();
  root.addEventListener('input', ({ target }) => changes((target as HTMLInputElement).value));
  changes.mockClear();
  await takeOver();
  expect(find<HTMLInputElement>('label input').value).toBe('WX');
  expect(changes).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(find('label input'));
});

test('presses in the app itself are not touched', async () => {
  const clicked = await takeOver();
  press('[data-order="AAAA"] button');
  const button = find('[data-order="AAAA"] button');
  expect(clicked).toEqual([button]);
  expect(button.hasAttribute('data-queued')).toBe(false);
});

/** The app replaces the snapshot; returns the elements that are clicked then. */
async function takeOver(html = SCREEN): Promise<Element[]> {
  const clicked = watchClicks();
  root.innerHTML = html;
  await vi.advanceTimersByTimeAsync(50);
  return clicked;
}

function watchClicks(): Element[] {
  const clicked: Element[] = [];
  root.addEventListener('click', (event) => {
    event.preventDefault();
    clicked.push(event.target as Element);
  });
  return clicked;
}

/** Returns whether the browser may act as usual. */
function press(selector: string): boolean {
  return find(selector).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
}

function find<Kind extends HTMLElement = HTMLElement>(selector: string): Kind {
  const element = root.querySelector<Kind>(selector);
  if (element === null) throw new Error(`There is no ${selector}.`);
  return element;
}
