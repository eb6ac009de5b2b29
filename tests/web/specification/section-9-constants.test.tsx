import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listPaymentCards } from '#contract/payment-cards/endpoints.ts';
import { VERSION_TEXT } from '#sw/cache-rules.ts';
import { ConnectionOverlay } from '#web/app/connection-overlay.tsx';
import { keyCache } from '#web/platform/api/case-conversion.ts';
import { requestPage } from '#web/platform/api/request.ts';
import { apiAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { startProbing } from '#web/platform/connection/probe.ts';
import { rejectSession, startSession } from '#web/platform/session/session.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';
import { RELOAD_DELAY } from '#web/platform/updates/update-machine.ts';
import { startUpdates } from '#web/platform/updates/updates.ts';
import {
  beginVersion,
  isVersionText,
  VERSION_KEY,
  VERSION_LOCK_KEY,
} from '#web/platform/updates/version-check.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import * as delays from '#web/ui/feedback/delays.ts';
import { Counter } from '#web/ui/form/counter.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';
import { Modal, modalSizes } from '#web/ui/popup/modal.tsx';
import { Popover } from '#web/ui/popup/popover.tsx';
import { Tooltip } from '#web/ui/popup/tooltip.tsx';
import { openDocument } from '../platform/analytics/open-document.ts';
import { answerFetches, json, openPage, PORTAL, success, TICKETS, TOKEN } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

/*
 * Business constants and limits of the specification, row by row.
 */

const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => {
  openPage();
  // What one test starts goes on listening in the next.
  answerFetches(() => new Response('1'));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
});

describe('cookies', () => {
  test('session cookie: name session, stored with a my- prefix, valid 365 days', () => {
    const [cookie] = cookiesWritten(() => startSession(TOKEN)).filter(({ value }) => value === TOKEN);
    expect(cookie?.name).toBe('my-session');
    expect(daysUntil(cookie?.attributes.expires)).toBe(365);
  });

  test('other cookies default to 7 days', () => {
    startSession(TOKEN);
    const [cookie] = cookiesWritten(() => rejectSession(TOKEN)).filter(({ value }) => value === 'true');
    expect(cookie?.name).toBe('my-expired-sign-in');
    expect(daysUntil(cookie?.attributes.expires)).toBe(7);
  });

  test('cookies are scoped to the parent domain, SameSite Lax', () => {
    for (const { attributes } of cookiesWritten(() => startSession(TOKEN))) {
      expect(attributes).toMatchObject({ domain: 'ferry.localhost', path: '/', samesite: 'Lax' });
    }
  });
});

test('API health ping interval: 1000 ms', async () => {
  vi.useFakeTimers();
  const asked = answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
  startProbing();
  markUnavailable();
  await vi.advanceTimersByTimeAsync(10);
  const first = asked.length;
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked.length - first).toBe(3);
  expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(['/api/ping']));
  answerFetches(() => json({ success: true }));
  await vi.advanceTimersByTimeAsync(1000);
  expect(apiAvailable.get()).toBe(true);
});

test('offline overlay reload offer: 60 seconds', () => {
  vi.useFakeTimers();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={createTestRouter([{ path: '*', Component: () => <ConnectionOverlay /> }])} />
    </QueryClientProvider>,
  );
  act(() => markUnavailable());
  const isOffered = () => screen.queryByRole('button', { name: 'Reload Page', hidden: true }) !== null;
  const isSearching = () => screen.queryByText('Attempting to reconnect to the server…') !== null;
  pass(59_000);
  expect([isOffered(), isSearching()]).toEqual([false, true]);
  pass(1000);
  expect([isOffered(), isSearching()]).toEqual([true, false]);
});

describe('version check', () => {
  test('interval 300 s, and when the page becomes visible', async () => {
    vi.useFakeTimers();
    const asked = answerFetches(() => new Response('1'));
    localStorage.setItem(VERSION_KEY, '1');
    startUpdates({ subscribe: () => undefined }, { isMutating: () => 0 });
    await vi.advanceTimersByTimeAsync(1);
    const checks = () => asked.filter(({ url }) => /^\/version\.txt\?t=\d+$/.test(url)).length;
    expect(checks()).toBe(1);
    await vi.advanceTimersByTimeAsync(300_000 - 2);
    expect(checks()).toBe(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(checks()).toBe(2);
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(1);
    expect(checks()).toBe(3);
  });

  test('text maximum 20 characters, for page and worker alike', () => {
    for (const isText of [isVersionText, (text: string) => VERSION_TEXT.test(text)]) {
      expect(isText('v'.repeat(20))).toBe(true);
      expect(isText('v'.repeat(21))).toBe(false);
    }
  });

  test('reload delay 1 s', () => {
    expect(RELOAD_DELAY).toBe(1000);
  });

  test('up to 5 retries, delay 1 s times attempt number', async () => {
    vi.useFakeTimers();
    const start = Date.now();
    const times: number[] = [];
    answerFetches(() => {
      times.push(Date.now() - start);
      return Promise.reject(new TypeError('Failed to fetch'));
    });
    const version = beginVersion('1');
    await vi.runAllTimersAsync();
    await version;
    expect(times).toEqual([0, 1000, 3000, 6000, 10_000, 15_000]);
    vi.useRealTimers();
  });
});

describe('local storage keys', () => {
  test('app-settings', async () => {
    answerFetches(() => json({ units: 'metric' }));
    await loadSettings();
    expect(localStorage.getItem('app-settings')).toBe('{"units":"metric"}');
  });

  test('version and version-lock keys tagged production', () => {
    expect([VERSION_KEY, VERSION_LOCK_KEY]).toEqual(['version-production', 'version-lock-production']);
  });
});

test('the analytics container id differs between the portal host and other hosts', async () => {
  const containers = { portal_container_id: 'GTM-PORTAL', tickets_container_id: 'GTM-OTHER' };
  const loaded = [];
  for (const url of [`${PORTAL}/orders`, `${TICKETS}/`]) {
    const page = openDocument(url, containers);
    await page.start();
    loaded.push(...page.scripts.map((src) => new URL(src).searchParams.get('id')));
  }
  expect(loaded).toEqual(['GTM-PORTAL', 'GTM-OTHER']);
});

test('the card list uses ?page', async () => {
  const asked = answerFetches(() => success([]));
  await requestPage(listPaymentCards, { page: 2 });
  expect(asked[0]?.url).toBe('/api/customers/payment_cards?page=2');
});

test('modal sizes run from xs to 7xl', () => {
  expect([modalSizes[0], modalSizes.at(-1)]).toEqual(['xs', '7xl']);
  const looks = modalSizes.map((size) => {
    render(
      <Modal title="Sample" size={size} onClose={() => undefined}>
        Text
      </Modal>,
    );
    const dialog = screen.getByRole('dialog');
    const look = `${dialog.className} ${dialog.dataset.size ?? ''} ${dialog.getAttribute('style') ?? ''}`;
    cleanup();
    return look;
  });
  expect(new Set(looks).size).toBe(modalSizes.length);
});

describe('popup defaults', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  test('distance 5 px', () => {
    expect(delays.POPUP_DISTANCE_PX).toBe(5);
  });

  test('tooltip show delay 200 ms, dispose timeout 150 ms', () => {
    render(
      <Tooltip text="Print this order">
        <button type="button">Print</button>
      </Tooltip>,
    );
    const root = screen.getByRole('button').parentElement as Element;
    const tooltip = () => screen.queryByRole('tooltip');
    fireEvent.pointerEnter(root, { pointerType: 'mouse' });
    pass(delays.TOOLTIP_SHOW_DELAY_MS - 1);
    expect(tooltip()).toBeNull();
    pass(1);
    expect(tooltip()).not.toBeNull();
    fireEvent.pointerLeave(root, { pointerType: 'mouse' });
    pass(delays.POPUP_DISPOSE_MS - 1);
    expect(tooltip()).not.toBeNull();
    pass(1);
    expect(tooltip()).toBeNull();
    expect([delays.TOOLTIP_SHOW_DELAY_MS, delays.POPUP_DISPOSE_MS]).toEqual([200, 150]);
  });

  test('menu hide delay 400 ms', () => {
    render(<Menu label="More" items={[{ id: 'a', label: 'Print', onSelect: () => undefined }]} />);
    const button = screen.getByRole('button', { name: 'More' });
    fireEvent.click(button);
    fireEvent.pointerLeave(button.parentElement as Element, { pointerType: 'mouse' });
    pass(399);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    pass(1);
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });

  test('popover: placement top, offset 10, hover trigger, hide delay 100 ms', () => {
    render(<Popover label="High lane">For vehicles above 2.10 m.</Popover>);
    const button = screen.getByRole('button');
    const root = button.parentElement as Element;
    vi.spyOn(root, 'getBoundingClientRect').mockReturnValue(new DOMRect(300, 500, 80, 20));
    vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(300, 500, 80, 20));
    fireEvent.pointerEnter(root, { pointerType: 'mouse' });
    expect(button.getAttribute('aria-expanded')).toBe('true');
    const popup = screen.getByText(/2.10 m/);
    expect(Number.parseFloat(popup.style.getPropertyValue('--top'))).toBe(500 - popup.offsetHeight - 10);
    fireEvent.pointerLeave(root, { pointerType: 'mouse' });
    pass(99);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    pass(1);
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('date picker', () => {
  async function open() {
    const onChange = vi.fn();
    render(<DatePicker label="Departure" today="2026-07-22" value="2026-07-24" onChange={onChange} />);
    fireEvent.click(screen.getByRole('button', { name: /date/i }));
    return { onChange, calendar: within(await screen.findByRole('dialog')) };
  }

  test('format month/day/year', async () => {
    await open();
    expect(screen.getByRole<HTMLInputElement>('textbox', { hidden: true }).value).toBe('07/24/2026');
  });

  test('week starts Sunday, English, 42 day cells', async () => {
    const { calendar } = await open();
    expect(
      calendar
        .getAllByRole('columnheader')
        .map((header) => header.getAttribute('abbr') ?? header.textContent)[0],
    ).toMatch(/^Su/);
    expect(calendar.getAllByRole('gridcell')).toHaveLength(42);
    expect(calendar.getByRole('button', { name: 'Friday, July 24, 2026' })).toBeTruthy();
  });

  test('12 month cells, 12 year cells, max view decade', async () => {
    const { calendar } = await open();
    fireEvent.click(calendar.getByRole('button', { name: /July 2026/ }));
    expect(calendar.getAllByRole('gridcell')).toHaveLength(12);
    fireEvent.click(calendar.getByRole('button', { name: /^2026/ }));
    expect(calendar.getAllByRole('gridcell')).toHaveLength(12);
    expect(calendar.queryByRole('button', { name: /centur/i })).toBeNull();
  });

  test('click window 2000 ms: the calendar takes a second click on the chosen day', async () => {
    const { calendar } = await open();
    vi.useFakeTimers();
    fireEvent.click(calendar.getByRole('button', { name: 'Saturday, July 25, 2026' }), { detail: 1 });
    expect(document.querySelector('[data-second-click]')).not.toBeNull();
    pass(2000);
    expect(document.querySelector('[data-second-click]')).toBeNull();
  });
});

describe('numeric counter', () => {
  function Sample() {
    const [value, setValue] = useState(2);
    return <Counter label="Adults" value={value} min={1} max={9} onChange={setValue} />;
  }
  const type = (text: string) => {
    const input = screen.getByRole<HTMLInputElement>('spinbutton');
    fireEvent.change(input, { target: { value: text } });
    fireEvent.blur(input);
    return input.value;
  };

  test('strips non-digits', () => {
    render(<Sample />);
    expect(type('a3-x')).toBe('3');
  });

  test('clamps to optional min and max', () => {
    render(<Sample />);
    expect(type('12')).toBe('9');
    expect(type('0')).toBe('1');
  });
});

describe('case-conversion cache', () => {
  test('100000 entries', () => {
    const cache = keyCache((key) => key);
    for (let index = 0; index < 100_000; index += 1) cache.convert(`key_${index}`);
    expect(cache.size()).toBe(100_000);
    cache.convert('one_more');
    expect(cache.size()).toBeLessThanOrEqual(100_000);
  });

  test('keys under 100 characters', () => {
    const cache = keyCache((key) => key);
    cache.convert('k'.repeat(99));
    expect(cache.size()).toBe(1);
    cache.convert('k'.repeat(100));
    expect(cache.size()).toBe(1);
  });
});

function pass(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds));
}

/** As the browser is told, with attribute names in lower case. */
function cookiesWritten(act: () => void) {
  const written: string[] = [];
  vi.spyOn(document, 'cookie', 'set').mockImplementation((text) => void written.push(text));
  act();
  return written.map((text) => {
    const [pair = '', ...rest] = text.split(/;\s*/);
    const attributes = Object.fromEntries(
      rest.map((each) => each.split('=')).map(([name = '', value = '']) => [name.toLowerCase(), value]),
    ) as Record<string, string>;
    const [name = '', value = ''] = pair.split('=');
    return { name, value, attributes };
  });
}

function daysUntil(instant: string | undefined): number {
  return Math.round((Date.parse(instant ?? '') - Date.now()) / DAY);
}
