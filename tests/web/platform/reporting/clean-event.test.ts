import type { ErrorEvent } from '@sentry/react';
import { describe, expect, test } from 'vitest';
import { cleanBreadcrumb, cleanEvent, privateValues } from '#web/platform/reporting/clean-event.ts';
import type { Report } from '#web/platform/reporting/reporting.ts';

const REPORT: Report = {
  error: new TypeError('No seat for Ann Bee (ann@example.com)'),
  url: 'https://my.ferry.example/orders?page=2',
  timestamp: '2026-05-01T10:00:00.000Z',
  level: 'error',
};
const EVENT: ErrorEvent = {
  type: undefined,
  event_id: '1',
  platform: 'javascript',
  environment: 'production',
  release: '1',
  user: { ip_address: '192.0.2.1' },
  extra: { name: 'Ann Bee' },
  contexts: { react: { version: '19' } },
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'No seat for Ann Bee (ann@example.com)',
        stacktrace: {
          frames: [
            { filename: 'https://my.ferry.example/assets/a.js?v=1', lineno: 1, vars: { name: 'Ann Bee' } },
          ],
        },
        mechanism: { type: 'generic', handled: true },
      },
    ],
  },
};

describe('the event of a report', () => {
  test('contains the error, its place and time, and no personal data', () => {
    expect(cleanEvent(EVENT, REPORT, ['Ann Bee'])).toEqual({
      event_id: '1',
      platform: 'javascript',
      level: 'error',
      environment: 'production',
      release: '1',
      timestamp: Date.parse(REPORT.timestamp) / 1000,
      request: { url: 'https://my.ferry.example/orders' },
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'No seat for [private] ([email])',
            stacktrace: { frames: [{ filename: 'https://my.ferry.example/assets/a.js', lineno: 1 }] },
            mechanism: { type: 'generic', handled: true },
          },
        ],
      },
    });
  });

  test('contains the id under which the server logged the failed call, and no other text in its place', () => {
    const requestId = '2f6b1c7e-0a4d-4d0e-9b43-0123456789ab';
    const tagsOf = (id: string) => cleanEvent(EVENT, { ...REPORT, requestId: id }, []).tags;
    expect(tagsOf(requestId)).toEqual({ request_id: requestId });
    expect(tagsOf('ann@example.com')).toBeUndefined();
  });

  test('privateValues returns what is typed on the page and the names of the account', () => {
    const form = document.createElement('form');
    form.innerHTML =
      '<input name="a" value="Ann Bee"><input type="checkbox" value="yes"><input type="radio" value="adult"><textarea>7ABC</textarea><input value="NY">';
    expect(privateValues(form, ['Ann Bee', 'Cy'])).toEqual(['Ann Bee', '7ABC', 'Ann', 'Bee']);
  });

  test('has breadcrumbs without queries, texts or bodies', () => {
    const crumb = cleanBreadcrumb(
      {
        category: 'fetch',
        type: 'http',
        level: 'info',
        timestamp: 1,
        message: 'Ann',
        data: {
          method: 'POST',
          url: '/api/orders/ord_0123456789abcdefghjkmnpqrs?token=x',
          status_code: 422,
          body: '{"name":"Ann"}',
          response: 'x',
        },
      },
      [],
    );
    expect(crumb).toEqual({
      category: 'fetch',
      type: 'http',
      level: 'info',
      timestamp: 1,
      data: { method: 'POST', url: '/api/orders/[id]', status_code: 422 },
    });
  });
});
