import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiErrors } from '#contract/errors.ts';
import { changeDetails, getDetails } from '#contract/identity/accounts/endpoints.ts';
import { getSecurity } from '#contract/identity/security/endpoints.ts';
import { takeHold } from '#contract/orders/buy/endpoints.ts';
import { listTripCards } from '#contract/trip-cards/endpoints.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import {
  type OlderFailure,
  request,
  requestOlder,
  requestPage,
  toApiError,
} from '#web/platform/api/request.ts';
import { apiAvailable } from '#web/platform/connection/connection.ts';
import { findProblems } from '#web/platform/forms/problems.ts';
import { type Report, setReporter } from '#web/platform/reporting/reporting.ts';
import { hasSessionEnded, readToken, sessionStore, startSession } from '#web/platform/session/session.ts';
import { answerFetches, hanging, json, openPage, PORTAL, success, TICKETS, TOKEN } from '../page.ts';

beforeEach(() => {
  vi.useFakeTimers();
  openPage();
});
afterEach(() => {
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const TRY_AGAIN = 'Something went wrong. Please try again.';
const REPORTED = 'Something went wrong and has been reported.';

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!(error instanceof ApiError)) throw new Error(`Not an ApiError: ${String(error)}`);
  return error;
}

function offline(): Promise<Response> {
  return Promise.reject(new TypeError('Failed to fetch'));
}

describe('a call of the older style', () => {
  test('returns the fields with the server’s names', async () => {
    answerFetches(() => json({ id: 'cus_1', pending_email: '', success: true }));
    expect(await requestOlder(getDetails)).toEqual({
      id: 'cus_1',
      pending_email: '',
      success: true,
      status_code: 200,
    });
  });

  test('returns a text to try again without a network, and marks the API as unavailable', async () => {
    answerFetches(offline);
    expect(await requestOlder(getDetails)).toEqual({ error: TRY_AGAIN, status_code: 0 });
    expect(apiAvailable.get()).toBe(false);
  });

  test.each([
    ['eight seconds for a read', 8000, () => requestOlder(getDetails)],
    ['twenty seconds for a write', 20_000, () => requestOlder(changeDetails, { body: {} })],
  ] as const)(
    'waits %s, then returns a text to try again and marks the API as unavailable',
    async (_, limit, ask) => {
      answerFetches(hanging);
      const result = ask();
      await vi.advanceTimersByTimeAsync(limit - 1);
      expect(apiAvailable.get()).toBe(true);
      await vi.advanceTimersByTimeAsync(1);
      expect(await result).toEqual({ error: TRY_AGAIN, status_code: 0 });
      expect(apiAvailable.get()).toBe(false);
    },
  );

  test('returns a text to try again when the browser aborts it, and marks the API as unavailable', async () => {
    answerFetches(() => Promise.reject(new DOMException('Aborted', 'AbortError')));
    expect(await requestOlder(getDetails)).toMatchObject({ error: TRY_AGAIN });
    expect(apiAvailable.get()).toBe(false);
  });

  test.each([
    [500, TRY_AGAIN],
    [503, TRY_AGAIN],
    [422, "That didn't work. Please check and try again."],
    [400, 'Something went wrong and has been reported.'],
    [404, 'Something went wrong and has been reported.'],
    [429, 'Something went wrong and has been reported.'],
    [302, 'Something went wrong'],
  ])('returns a default text for status %i', async (status, text) => {
    answerFetches(() => json({}, status));
    expect(await requestOlder(getDetails)).toEqual({ error: text, status_code: status });
    expect(apiAvailable.get()).toBe(true);
  });

  test('reports a failure that the customer sees, with the id under which the server logged it', async () => {
    const reports: Report[] = [];
    setReporter((report) => reports.push(report));
    const headers = { 'content-type': 'application/json', 'x-request-id': 'an-id' };
    answerFetches(() => Promise.resolve(new Response('{}', { status: 404, headers })));
    await requestOlder(getSecurity);
    setReporter(null);
    expect(reports).toMatchObject([
      { error: { message: expect.stringContaining('404') }, requestId: 'an-id' },
    ]);
  });

  test('shows a reported failure with the code by which the operator finds it, and no other failure', async () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': '024bc0ca-6b73-4124-8c5d' };
    const answer = (status: number, body: object) =>
      answerFetches(() => Promise.resolve(new Response(JSON.stringify(body), { status, headers })));
    answer(500, {});
    const failed = await failure(request(listTripCards));
    expect(errorText(failed)).toBe(`${REPORTED} Error code: 024bc0ca`);
    expect(findProblems(failed, []).form).toBe(`${REPORTED} Error code: 024bc0ca`);
    answer(404, {});
    const older = await requestOlder(getSecurity);
    expect(errorText(older)).toBe(`${REPORTED} Error code: 024bc0ca`);
    expect(errorText(toApiError(older as OlderFailure))).toBe(`${REPORTED} Error code: 024bc0ca`);
    answer(422, { errors: [{ code: 'sold_out', message: 'Sold out.' }] });
    expect(errorText(await failure(request(listTripCards)))).toBe('Sold out.');
  });

  test('returns the error text, status code and other fields of the server', async () => {
    answerFetches(() => json({ error: 'Name is too long', status_code: 422, field: 'name' }, 422));
    expect(await requestOlder(getDetails)).toEqual({
      error: 'Name is too long',
      status_code: 422,
      field: 'name',
    });
  });

  test('treats a response with `success: false` as a failure, whatever its status', async () => {
    answerFetches(() => json({ success: false, error: 'No' }, 200));
    expect(await requestOlder(getDetails)).toMatchObject({ error: 'No' });
  });
});

describe('a call of the newer style', () => {
  test('unwraps the data and converts its keys to camel case', async () => {
    answerFetches(() => success({ last_four: '4242', legs: [{ departs_at: 'x' }] }));
    expect(await request(getSecurity)).toEqual({ lastFour: '4242', legs: [{ departsAt: 'x' }] });
  });

  test('returns the position of a page in its list', async () => {
    answerFetches(() => success([], { meta: { page: 2, page_size: 20, total_pages: 3, total_count: 41 } }));
    const { meta } = await requestPage(listTripCards, { page: 2 });
    expect(meta).toEqual({ page: 2, pageSize: 20, totalPages: 3, totalCount: 41 });
  });

  test('throws network_error with status 0 without a network, and marks the API as unavailable', async () => {
    answerFetches(offline);
    expect(await failure(request(getSecurity))).toMatchObject({
      code: 'network_error',
      message: TRY_AGAIN,
      status: 0,
    });
    expect(apiAvailable.get()).toBe(false);
  });

  test('throws network_error with status 0 when no response arrives in time', async () => {
    answerFetches(hanging);
    const error = failure(request(getSecurity, { timeoutMs: 3000 }));
    await vi.advanceTimersByTimeAsync(3000);
    expect(await error).toMatchObject({ code: 'network_error', message: TRY_AGAIN, status: 0 });
    expect(apiAvailable.get()).toBe(false);
  });

  test('throws network_error when it receives a page, such as the sign-in page of a captive portal', async () => {
    answerFetches(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    expect(await failure(request(getSecurity))).toMatchObject({ code: 'network_error' });
    expect(apiAvailable.get()).toBe(false);
  });

  test.each([500, 502, 503])('throws internal_server_error for status %i', async (status) => {
    answerFetches(() => json({ errors: [{ code: 'boom', message: 'stack' }] }, status));
    expect(await failure(request(getSecurity))).toMatchObject({
      code: 'internal_server_error',
      message: REPORTED,
      status,
    });
  });

  test('throws the text of a busy server, which says what to do', async () => {
    const { message } = apiErrors.server_busy;
    const body = { success: false, data: null, errors: [{ code: 'server_busy', message }], status_code: 503 };
    answerFetches(() => json(body, 503));
    const error = await failure(request(getSecurity));
    expect(error).toMatchObject({ code: 'server_busy', status: 503 });
    expect(errorText(error)).toBe('We are very busy right now. Please try again in a moment.');
  });

  test('throws the errors of the server', async () => {
    const errors = [
      { code: 'sold_out', message: 'That sailing is full' },
      { code: 'invalid_input', message: 'Enter a name', field: 'contact.name' },
    ];
    answerFetches(() => json({ success: false, data: null, errors, status_code: 422 }, 422));
    const error = await failure(request(getSecurity));
    expect(error).toMatchObject({ code: 'sold_out', status: 422, errors });
    expect(errorText(error)).toBe('That sailing is full, Enter a name');
    expect(hasErrorCode(error, 'invalid_input')).toBe(true);
  });

  test('throws unknown_error when the server gives no errors', async () => {
    answerFetches(() => json({}, 418));
    expect(await failure(request(getSecurity))).toMatchObject({
      code: 'unknown_error',
      message: REPORTED,
      status: 418,
    });
  });

  test('throws the errors and status code of an unsuccessful response with status 200', async () => {
    const errors = [{ code: 'order_closed', message: 'Closed' }];
    answerFetches(() => json({ success: false, errors, status_code: 422 }, 200));
    expect(await failure(request(getSecurity))).toMatchObject({ code: 'order_closed', status: 422, errors });
  });
});

describe('any call', () => {
  test('carries the session token as a bearer token', async () => {
    startSession(TOKEN);
    const requests = answerFetches(() => success(null));
    await request(getSecurity);
    expect(requests[0]?.init.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` });
  });

  test('carries no authorization without a token', async () => {
    const requests = answerFetches(() => success(null));
    await request(getSecurity);
    expect(requests[0]?.init.headers).not.toHaveProperty('authorization');
  });

  test('sends its body in snake case, with its idempotency key', async () => {
    const requests = answerFetches(() => success(null));
    await request(takeHold, { body: { quoteId: 'q' }, idempotencyKey: 'k' });
    expect(requests[0]?.init).toMatchObject({ method: 'POST', body: '{"quote_id":"q"}' });
    expect(requests[0]?.init.headers).toMatchObject({
      'idempotency-key': 'k',
      'content-type': 'application/json',
    });
  });

  test.each([
    ['the older style', () => requestOlder(getDetails)],
    ['the newer style', () => request(getSecurity).catch(() => undefined)],
  ])('clears a rejected session and leads to sign-in, in %s', async (_, ask) => {
    const page = openPage(`${TICKETS}/`);
    startSession(TOKEN);
    answerFetches(() => json({ success: false, error: 'Please sign in.' }, 401));
    await ask();
    expect(readToken()).toBeNull();
    expect(sessionStore.get().isAuthenticated).toBe(false);
    expect(document.cookie).toContain('my-expired-sign-in=true');
    expect(hasSessionEnded()).toBe(true);
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });

  test.each([
    ['unavailable, if its ping fails too', () => new Response('Sign in', { status: 403 }), false],
    ['available, if its ping succeeds', () => json({ success: true }), true],
  ])('checks the API when another server refuses it, and finds it %s', async (_, ping, isThere) => {
    answerFetches(({ url }) => (url === '/api/ping' ? ping() : new Response('No', { status: 403 })));
    expect(await failure(request(getSecurity))).toMatchObject({ code: 'unknown_error', status: 403 });
    await vi.advanceTimersByTimeAsync(0);
    expect(apiAvailable.get()).toBe(isThere);
  });

  test('keeps a newer session when an older token is rejected late', async () => {
    const page = openPage();
    startSession('old');
    answerFetches(() => {
      startSession(TOKEN);
      return json({}, 401);
    });
    await requestOlder(getDetails);
    expect(readToken()).toBe(TOKEN);
    expect(page.navigations).toEqual([]);
  });

  test('does not change the connection state when its caller aborts it', async () => {
    answerFetches(hanging);
    const controller = new AbortController();
    const calls = [
      request(getSecurity, { signal: controller.signal }),
      requestOlder(getDetails, { signal: controller.signal }),
    ];
    const ends = Promise.allSettled(calls);
    controller.abort();
    for (const end of await ends) expect(end).toMatchObject({ reason: { name: 'AbortError' } });
    expect(apiAvailable.get()).toBe(true);
  });
});

describe('the text for a failure', () => {
  test('is the server’s text if there is one, else "Something went wrong"', () => {
    expect(errorText({ error: 'Name is too long', status_code: 422 })).toBe('Name is too long');
    expect(errorText({ error: '' })).toBe('Something went wrong');
    expect(errorText(new Error('internals'))).toBe('Something went wrong');
    expect(errorText(undefined)).toBe('Something went wrong');
  });
});
