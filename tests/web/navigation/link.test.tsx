import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RouterView } from '#web/app/router-view.tsx';
import { Link, type LinkProps } from '#web/navigation/link.tsx';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { createAppRouter } from '#web/platform/router/app-router.ts';
import { createBrowserHistory } from '#web/platform/router/history.ts';
import { openPage, PORTAL, TICKETS } from '../platform/page.ts';

const ORDERS = `${PORTAL}/orders?view=past`;
let renderings: number;

/** A link that stays the browser's would leave the page of the test. */
const stop = (event: Event) => event.preventDefault();

beforeEach(() => {
  openPage(ORDERS);
  renderings = 0;
  window.addEventListener('click', stop);
});
afterEach(() => {
  window.removeEventListener('click', stop);
  cleanup();
});

function showLink(props: Partial<LinkProps> = {}) {
  const Page = () => {
    renderings += 1;
    return (
      <Link to="/trip_cards" {...props}>
        Open
      </Link>
    );
  };
  const routes = [{ path: '*', Component: Page }];
  const router = createAppRouter(routes, createQueryClient(), { history: createBrowserHistory() });
  const navigate = vi.spyOn(router, 'navigate');
  render(<RouterView router={router} />);
  return { router, navigate, link: screen.getByRole('link', { name: 'Open' }) };
}

/** Returns whether the link has taken the click from the browser. */
function click(link: HTMLElement, init: MouseEventInit = {}): boolean {
  const event = createEvent.click(link, init);
  let isTaken = false;
  const watch = () => {
    isTaken = event.defaultPrevented;
  };
  document.addEventListener('click', watch, { once: true });
  fireEvent(link, event);
  return isTaken;
}

describe('a click on a link', () => {
  test('opens the screen in a new entry of the history, with the link’s state', () => {
    const { link, router, navigate } = showLink({ state: { text: 'Robin' }, preventScrollReset: true });
    expect(click(link)).toBe(true);
    const path = { pathname: '/trip_cards', search: '', hash: '' };
    const options = { replace: false, state: { text: 'Robin' }, preventScrollReset: true };
    expect(navigate).toHaveBeenCalledExactlyOnceWith(path, options);
    expect(window.location.href).toBe(`${PORTAL}/trip_cards`);
    expect(router.state).toMatchObject({ historyAction: 'PUSH', location: { state: { text: 'Robin' } } });
  });

  test.each([
    ['Control', { ctrlKey: true }],
    ['Command', { metaKey: true }],
    ['Shift', { shiftKey: true }],
    ['Alt', { altKey: true }],
    ['the middle button', { button: 1 }],
  ])('with %s is left to the browser', (_, init) => {
    const { link, navigate } = showLink();
    expect(click(link, init)).toBe(false);
    expect(navigate).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<LinkProps>]>([
    ['to another tab', { target: '_blank' }],
    ['to a download', { download: true }],
    ['to another origin', { to: `${TICKETS}/` }],
    ['without a path', { to: 'mailto:booth@example.com' }],
  ])('%s is left to the browser', (_, props) => {
    const { link, navigate } = showLink(props);
    expect(click(link)).toBe(false);
    expect(navigate).not.toHaveBeenCalled();
  });

  test.each<[string, Partial<LinkProps>]>([
    ['of the same tab', { target: '_self' }],
    ['with the address of its own origin', { to: `${PORTAL}/trip_cards` }],
  ])('%s opens the screen', (_, props) => {
    const { link } = showLink(props);
    expect(click(link)).toBe(true);
    expect(window.location.href).toBe(`${PORTAL}/trip_cards`);
  });

  test('opens nothing if the link’s own handler prevents it', () => {
    const onClick = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
    const { link, navigate } = showLink({ onClick });
    click(link);
    expect(onClick).toHaveBeenCalledTimes(1);
    expect(navigate).not.toHaveBeenCalled();
  });

  test.each(['/orders?view=past', ORDERS])('to the current address %s replaces its entry', (to) => {
    const { link, router } = showLink({ to, state: 'again' });
    click(link);
    expect(router.state).toMatchObject({ historyAction: 'REPLACE', location: { state: 'again' } });
    expect(window.location.href).toBe(ORDERS);
  });

  test('to the current path with other parameters adds an entry', () => {
    const { link, router } = showLink({ to: '/orders' });
    click(link);
    expect(router.state.historyAction).toBe('PUSH');
    expect(window.location.href).toBe(`${PORTAL}/orders`);
  });

  test('to a place of the page keeps the screen, and a second one replaces the entry', () => {
    const { link, router } = showLink({ to: '#terms' });
    click(link);
    expect(router.state.historyAction).toBe('PUSH');
    expect(window.location.href).toBe(`${ORDERS}#terms`);
    click(link);
    expect(router.state.historyAction).toBe('REPLACE');
  });
});

test('a link has the address for the browser and is not rendered again by navigations', () => {
  const { link } = showLink();
  expect(link.getAttribute('href')).toBe('/trip_cards');
  const before = renderings;
  click(link);
  expect(window.location.href).toBe(`${PORTAL}/trip_cards`);
  expect(renderings).toBe(before);
});
