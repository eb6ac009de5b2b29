import { cleanup, render, screen } from '@testing-library/react';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLIENT_TEXTS, STATUS } from '#contract/client-errors.ts';
import { apiErrors } from '#contract/errors.ts';
import { getDetails } from '#contract/identity/accounts/endpoints.ts';
import { verifyAccount } from '#contract/identity/registration/endpoints.ts';
import { releaseHold } from '#contract/orders/buy/endpoints.ts';
import { scrub } from '#domain/error-reports/scrub.ts';
import { withRoot } from '#web/app/root.tsx';
import { ApiError, errorText } from '#web/platform/api/api-error.ts';
import { request, requestOlder } from '#web/platform/api/request.ts';
import { apiAvailable } from '#web/platform/connection/connection.ts';
import { notificationStore } from '#web/platform/notifications/notifications.ts';
import { type Report, setReporter } from '#web/platform/reporting/reporting.ts';
import { whenReady } from '#web/platform/router/app-router.ts';
import { loadScreen } from '#web/platform/router/screen.ts';
import { readToken, startSession } from '#web/platform/session/session.ts';
import { handleError, installErrorHandlers } from '#web/platform/updates/error-handlers.ts';
import { routes as portalRoutes } from '#web/portal/routes.tsx';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';
import { answerFetches, hanging, json, openPage, PORTAL, TOKEN } from '../platform/page.ts';
import { collectEvents } from '../platform/reporting/collector.ts';
import { createTestRouter } from '../test-router.ts';

/*
 * The error catalogue of the specification, row by row.
 */

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const NETWORK_FAILURES: [string, () => Promise<Response>][] = [
  ['network error', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['abort', () => Promise.reject(new DOMException('Aborted', 'AbortError'))],
];
const TIMEOUT = 60_000;

describe('older style', () => {
  test.each(NETWORK_FAILURES)(
    '%s: "Something went wrong. Please try again."; API marked unavailable',
    async (_, fail) => {
      answerFetches(fail);
      const result = await requestOlder(getDetails);
      expect(result).toEqual({ error: 'Something went wrong. Please try again.', status_code: 0 });
      expect(apiAvailable.get()).toBe(false);
    },
  );

  test('timeout: "Something went wrong. Please try again."; API marked unavailable', async () => {
    answerFetches(hanging);
    const result = requestOlder(getDetails);
    await vi.advanceTimersByTimeAsync(TIMEOUT);
    expect(await result).toMatchObject({ error: 'Something went wrong. Please try again.' });
    expect(apiAvailable.get()).toBe(false);
  });

  test.each([
    ['500', 500, 'Something went wrong. Please try again.'],
    ['more than 500', 503, 'Something went wrong. Please try again.'],
    ['422', 422, "That didn't work. Please check and try again."],
    ['other 4xx', 404, 'Something went wrong and has been reported.'],
    ['any other status', 302, 'Something went wrong'],
  ])('status %s has its text', async (_, status, text) => {
    answerFetches(() => json({}, status));
    expect(await requestOlder(getDetails)).toEqual({ error: text, status_code: status });
  });

  test('the server’s error text, status_code and other response fields are kept', async () => {
    const body = { error: 'No such name', status_code: 422, field: 'name' };
    answerFetches(() => json(body, 400));
    expect(await requestOlder(getDetails)).toEqual(body);
  });

  test('401 clears the session and redirects to sign-in', async () => {
    startSession(TOKEN);
    answerFetches(() => json({}, STATUS.unauthorized));
    await requestOlder(getDetails);
    expect(readToken()).toBeNull();
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });
});

describe('newer style', () => {
  test('network error: code network_error, "Something went wrong. Please try again.", status 0', async () => {
    answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(request(getDetails))).toMatchObject({
      code: 'network_error',
      message: 'Something went wrong. Please try again.',
      status: 0,
    });
  });

  test('timeout: code network_error, "Something went wrong. Please try again.", status 0', async () => {
    answerFetches(hanging);
    const failure = failureOf(request(getDetails));
    await vi.advanceTimersByTimeAsync(TIMEOUT);
    expect(await failure).toMatchObject({
      code: 'network_error',
      message: 'Something went wrong. Please try again.',
      status: 0,
    });
  });

  test.each([500, 599])(
    '%i: code internal_server_error, "Something went wrong and has been reported."',
    async (status) => {
      answerFetches(() => json({ errors: [{ code: 'x', message: 'x' }] }, status));
      expect(await failureOf(request(getDetails))).toMatchObject({
        code: 'internal_server_error',
        message: 'Something went wrong and has been reported.',
      });
    },
  );

  test('other failures use the server’s errors list', async () => {
    const errors = [
      { code: 'sold_out', message: 'Full' },
      { code: 'no_fare', message: 'No fare' },
    ];
    answerFetches(() => json({ errors }, 422));
    expect(await failureOf(request(getDetails))).toMatchObject({ errors });
  });

  test('else code unknown_error with "Something went wrong and has been reported."', async () => {
    answerFetches(() => json({}, 409));
    expect(await failureOf(request(getDetails))).toMatchObject({
      code: 'unknown_error',
      message: 'Something went wrong and has been reported.',
    });
  });

  test('401 clears the session and redirects', async () => {
    startSession(TOKEN);
    answerFetches(() => json({}, 401));
    await failureOf(request(getDetails));
    expect(readToken()).toBeNull();
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });

  test('if the response does not say success, its errors and status_code are thrown', async () => {
    const errors = [{ code: 'order_closed', message: 'Closed' }];
    answerFetches(() => json({ success: false, errors, status_code: 422 }, 200));
    expect(await failureOf(request(getDetails))).toMatchObject({ errors, status: 422 });
  });
});

describe('"Something went wrong and has been reported." is reported', () => {
  const ID = 'hld_0123456789abcdefghjkmnpqrs';

  test('by the older style for other 4xx, once for each call, and is sent without ids', async () => {
    answerFetches(() => json({}, 409));
    const { error } = await requestOlder(releaseHold, { params: { id: ID } });
    await requestOlder(releaseHold, { params: { id: ID } });
    expect(error).toBe(CLIENT_TEXTS.reported);
    expect(page.reports).toHaveLength(1);
    expect(scrub(page.reports[0]?.message ?? '')).toBe('DELETE /api/holds/[id] failed with status 409.');
  });

  test.each([
    ['500 or more', 503, { errors: [{ code: 'x', message: 'secret' }] }],
    ['unknown_error', 418, {}],
  ])(
    'by the newer style for %s, and not again by the code that catches the error',
    async (_, status, body) => {
      answerFetches(() => json(body, status));
      const failure = await failureOf(
        request(verifyAccount, { params: { token: `${'Aa1-'.repeat(10)}xyz` } }),
      );
      expect(failure.message).toBe(CLIENT_TEXTS.reported);
      handleError(failure);
      expect(page.reports).toHaveLength(1);
      const sent = scrub(page.reports[0]?.message ?? '');
      expect(sent).toBe(`POST /api/customers/verify/[token] failed with status ${status}.`);
    },
  );

  test('and no other text is: the server’s own, a network failure, an ended session', async () => {
    answerFetches(() => json({ errors: [{ code: 'sold_out', message: 'Full' }], error: 'Full' }, 422));
    await requestOlder(getDetails);
    await failureOf(request(getDetails));
    answerFetches(() => json({}, 401));
    await requestOlder(getDetails);
    await failureOf(request(getDetails));
    answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
    await requestOlder(getDetails);
    await failureOf(request(getDetails));
    expect(page.reports).toEqual([]);
  });
});

describe('UI', () => {
  test('shows the server’s error text if present, else "Something went wrong"', () => {
    expect(errorText({ error: 'No such name' })).toBe('No such name');
    expect(errorText({ error: null })).toBe('Something went wrong');
    expect(errorText(new Error('internals'))).toBe('Something went wrong');
  });

  test('multiple errors are joined with a comma and a space', () => {
    const errors = [
      { code: 'a', message: 'First' },
      { code: 'b', message: 'Second' },
    ] as const;
    expect(errorText(new ApiError(422, [...errors]))).toBe('First, Second');
  });

  test('a screen that fails shows the same text', async () => {
    vi.useRealTimers();
    const loader = () => Promise.reject(new ApiError(422, [{ code: 'x', message: 'Closed for the season' }]));
    const routes = withRoot([{ path: '*', loader, Component: () => null }]);
    const router = createTestRouter(routes);
    await whenReady(router);
    render(<RouterProvider router={router} onError={() => undefined} />);
    expect(await screen.findByRole('heading', { name: 'Closed for the season' })).toBeTruthy();
  });
});

test('status constants: 400, 401, 422, 500, and 0 for network errors', () => {
  expect(STATUS).toEqual({
    badRequest: 400,
    unauthorized: 401,
    unprocessable: 422,
    serverError: 500,
    network: 0,
  });
  expect(apiErrors.network_error).toEqual({ status: STATUS.network, message: CLIENT_TEXTS.tryAgain });
  expect(apiErrors.internal_server_error).toEqual({
    status: STATUS.serverError,
    message: CLIENT_TEXTS.reported,
  });
});

describe('error reporting', () => {
  let remove: () => void;
  let reports: Report[];
  beforeEach(() => {
    answerFetches(() => json({}));
    remove = installErrorHandlers();
    reports = [];
    setReporter((entry) => reports.push(entry));
  });
  afterEach(() => remove());

  test('unhandled promise rejections are reported with message, stack, URL and timestamp, then suppressed', () => {
    vi.setSystemTime('2026-05-01T10:00:00Z');
    const error = new Error('Boom');
    expect(reject(error).defaultPrevented).toBe(true);
    expect(reports).toMatchObject([
      {
        error: { message: 'Boom', stack: error.stack },
        url: `${PORTAL}/orders`,
        timestamp: '2026-05-01T10:00:00.000Z',
      },
    ]);
  });

  test.each([
    ['module-not-valid-script-type', "'text/html' is not a valid JavaScript MIME type."],
    ['page instead of a script', "Uncaught SyntaxError: Unexpected token '<'"],
    ['style preload failure', 'Unable to preload CSS for /assets/orders.css'],
    ['dynamic import failure', 'Failed to fetch dynamically imported module: /assets/orders.js'],
  ])('a %s is not reported; the app is flagged to notify the user to reload', async (_, message) => {
    reject(new TypeError(message));
    throwError(new TypeError(message));
    await vi.advanceTimersByTimeAsync(0);
    expect(reports).toEqual([]);
    expect(notificationStore.get().notifyReload).toBe(true);
  });

  test('a failure loading the card payment provider’s script reloads the page and is not reported', () => {
    reject(new Error('Failed to load Stripe.js'));
    expect(page.reloads).toBe(1);
    expect(reports).toEqual([]);
  });

  test('a maximum-call-stack error clears all timers, reloads after 1 second, and is not reported', () => {
    const tick = vi.fn();
    setInterval(tick, 10);
    setTimeout(tick, 10);
    throwError(new RangeError('Maximum call stack size exceeded'));
    vi.advanceTimersByTime(999);
    expect(tick).not.toHaveBeenCalled();
    expect(page.reloads).toBe(0);
    vi.advanceTimersByTime(1);
    expect(page.reloads).toBe(1);
    expect(reports).toEqual([]);
  });

  test.each([
    'The operation either timed out or was not allowed',
    '__gCrWeb',
    'webkit-masked-url',
    '{address}',
  ])('messages containing %s are suppressed', (part) => {
    reject(new Error(`Before ${part} after`));
    throwError(new Error(`Before ${part} after`));
    expect(reports).toEqual([]);
  });

  test('all others are reported; environment is production', async () => {
    const events = await collectEvents();
    throwError(new Error('Anything else'));
    reject('not even an error');
    expect(events.map(({ environment, exception }) => [exception.values[0]?.value, environment])).toEqual([
      ['Anything else', 'production'],
      ['not even an error', 'production'],
    ]);
  });

  test.each([
    ['tickets', ticketRoutes],
    ['portal', portalRoutes],
  ])('unknown paths of the %s host go to /404', (_, routes) => {
    const known = routes.flatMap((each) => [each, ...(each.children ?? [])]).map(({ handle }) => handle);
    expect(known).toContainEqual({ path: '*', redirectTo: '/404' });
    expect(known).toContainEqual(expect.objectContaining({ path: '/404', name: 'not-found' }));
  });

  test('a failed preload of a lazy screen is re-raised unless handled', async () => {
    const failure = new TypeError('Failed to fetch dynamically imported module: /assets/x.js');
    await expect(loadScreen(() => Promise.reject(failure))).rejects.toBe(failure);
    const event = new Event('vite:preloadError', { cancelable: true });
    window.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  });

  function reject(reason: unknown): Event {
    const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason });
    window.dispatchEvent(event);
    return event;
  }

  function throwError(error: Error): void {
    window.dispatchEvent(new ErrorEvent('error', { message: error.message, error }));
  }
});

async function failureOf(answer: Promise<unknown>): Promise<ApiError> {
  const error = await answer.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`Not an ApiError: ${String(error)}`);
  return error;
}
