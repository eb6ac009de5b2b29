import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { notificationStore } from '#web/platform/notifications/notifications.ts';
import { type Report, report, setReporter } from '#web/platform/reporting/reporting.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { installErrorHandlers } from '#web/platform/updates/error-handlers.ts';
import { tryReload } from '#web/platform/updates/reload.ts';
import { answerFetches, json, openPage, PORTAL } from '../page.ts';

let page: ReturnType<typeof openPage>;
let remove: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
  answerFetches(() => json({}));
  remove = installErrorHandlers();
});
afterEach(() => {
  remove();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function throwInPage(message: string): void {
  window.dispatchEvent(new ErrorEvent('error', { message, error: new Error(message) }));
}

function rejectInPage(reason: unknown): Event {
  const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason });
  window.dispatchEvent(event);
  return event;
}

const tellsToReload = () => notificationStore.get().notifyReload;
/** Waits until the page has pinged the API. */
const untilPinged = () => vi.advanceTimersByTimeAsync(0);

describe('the error handler', () => {
  test('reports an error', () => {
    throwInPage('Cannot read properties of undefined');
    expect(page.reports).toMatchObject([{ message: 'Cannot read properties of undefined', level: 'error' }]);
    expect(tellsToReload()).toBe(false);
  });

  test.each([
    'NotAllowedError: The operation either timed out or was not allowed.',
    "undefined is not an object (evaluating '__gCrWeb.x')",
    'at webkit-masked-url://hidden/',
    'Could not reach {address}',
  ])('ignores the error "%s"', (message) => {
    throwInPage(message);
    rejectInPage(new Error(message));
    expect(page.reports).toEqual([]);
  });

  test.each([
    "'text/html' is not a valid JavaScript MIME type.",
    'Failed to load module script: Expected a JavaScript module script but the server responded with a MIME type of "text/html".',
    'Unable to preload CSS for /assets/orders.css',
    'Failed to fetch dynamically imported module: /assets/orders.js',
    'error loading dynamically imported module: /assets/orders.js',
    'Importing a module script failed.',
    "Uncaught SyntaxError: Unexpected token '<'",
    "SyntaxError: expected expression, got '<'",
  ])('asks the customer to reload after "%s" and does not report it', async (message) => {
    rejectInPage(new TypeError(message));
    await untilPinged();
    expect(page.reports).toEqual([]);
    expect(tellsToReload()).toBe(true);
  });

  test('reports an answer that is not JSON', () => {
    rejectInPage(new SyntaxError(`Unexpected token '<', "<!doctype "... is not valid JSON`));
    expect(page.reports).toHaveLength(1);
    expect(tellsToReload()).toBe(false);
  });

  test('asks the customer to reload after a failed preload and does not suppress the error', async () => {
    const event = new Event('vite:preloadError', { cancelable: true });
    window.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
    await untilPinged();
    expect(tellsToReload()).toBe(true);
  });

  test('marks the API as unavailable instead of asking to reload if a chunk fails without a connection', async () => {
    const pings = answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
    window.dispatchEvent(new Event('vite:preloadError', { cancelable: true }));
    rejectInPage(new TypeError('Failed to fetch dynamically imported module: /assets/orders.js'));
    await untilPinged();
    expect(apiAvailable.get()).toBe(false);
    expect(tellsToReload()).toBe(false);
    expect(page.reports).toEqual([]);
    expect(pings.map(({ url }) => url)).toEqual(['/api/ping']);
  });

  test('reloads only once if the provider’s script fails, and then leaves another try to the card form', () => {
    rejectInPage(new Error('Failed to load Stripe.js'));
    expect(page.reloads).toBe(1);
    expect(tellsToReload()).toBe(false);
    rejectInPage(new Error('Failed to load Stripe.js'));
    expect(page.reloads).toBe(1);
    expect(tellsToReload()).toBe(false);
    expect(page.reports).toEqual([]);
  });

  test('does not reload for the provider’s script while the API is unavailable', () => {
    markUnavailable();
    rejectInPage(new Error('Failed to load Stripe.js'));
    expect(page.reloads).toBe(0);
  });

  test('stops all timers after a stack overflow and reloads after a second without a report', async () => {
    const tick = vi.fn();
    setInterval(tick, 100);
    throwInPage('Uncaught RangeError: Maximum call stack size exceeded');
    await vi.advanceTimersByTimeAsync(999);
    expect(page.reloads).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(page.reloads).toBe(1);
    expect(tick).not.toHaveBeenCalled();
    expect(page.reports).toEqual([]);
  });
});

describe('a stack overflow', () => {
  const OVERFLOW = 'Uncaught RangeError: Maximum call stack size exceeded';
  const tick = vi.fn();
  beforeEach(() => {
    tick.mockClear();
    setInterval(tick, 100);
  });

  test('does not stop the timers of a pending payment, and asks the customer to reload', async () => {
    const done = beginBusy('a payment is on its way', 'hard');
    throwInPage(OVERFLOW);
    await vi.advanceTimersByTimeAsync(1000);
    expect(tick).toHaveBeenCalledTimes(10);
    expect(page.reloads).toBe(0);
    expect(tellsToReload()).toBe(true);
    done();
  });

  test.each([
    ['the connection is lost', () => markUnavailable()],
    ['the page was already reloaded for one', () => void tryReload('call-stack')],
    ['reloads cannot be counted', () => void vi.stubGlobal('sessionStorage', { clear: () => undefined })],
  ])('does not stop the timers if %s', async (_, prepare) => {
    prepare();
    const before = page.reloads;
    throwInPage(OVERFLOW);
    await vi.advanceTimersByTimeAsync(1000);
    expect(tick).toHaveBeenCalledTimes(10);
    expect(page.reloads).toBe(before);
    expect(tellsToReload()).toBe(true);
  });

  test('reloads the page once although another one follows within the second', async () => {
    throwInPage(OVERFLOW);
    await vi.advanceTimersByTimeAsync(600);
    throwInPage(OVERFLOW);
    await vi.advanceTimersByTimeAsync(400);
    expect(page.reloads).toBe(1);
    expect(tellsToReload()).toBe(false);
  });

  test('does not reload if a payment begins within the second', async () => {
    throwInPage(OVERFLOW);
    await vi.advanceTimersByTimeAsync(500);
    const done = beginBusy('a payment is on its way', 'hard');
    await vi.advanceTimersByTimeAsync(500);
    expect(page.reloads).toBe(0);
    expect(tellsToReload()).toBe(true);
    done();
  });
});

describe('an unhandled rejection', () => {
  test('is reported with message, stack, address and time, and then suppressed', () => {
    const reports: Report[] = [];
    setReporter((entry) => reports.push(entry));
    const event = rejectInPage(new Error('Boom'));
    expect(event.defaultPrevented).toBe(true);
    expect(reports).toMatchObject([{ error: { message: 'Boom' }, url: `${PORTAL}/orders`, level: 'error' }]);
    expect(reports[0]?.error.stack).toContain('Boom');
    expect(new Date(reports[0]?.timestamp ?? '').toISOString()).toBe(reports[0]?.timestamp);
  });

  test('is reported whatever its reason is', () => {
    rejectInPage('just text');
    rejectInPage(undefined);
    expect(page.reports.map(({ message }) => message)).toEqual(['just text', 'undefined']);
  });
});

describe('reports', () => {
  test('wait for a reporter, up to 20 of them', () => {
    setReporter(null);
    for (let index = 0; index < 30; index += 1) report(new Error(`Error ${index}`));
    const late: Report[] = [];
    setReporter((entry) => late.push(entry));
    expect(late).toHaveLength(20);
    expect(late[0]?.error.message).toBe('Error 0');
  });
});
