import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { Outlet } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { App } from '#web/app/app.tsx';
import { rootErrorHooks } from '#web/app/react-errors.ts';
import { withRoot } from '#web/app/root.tsx';
import { report, setReporter } from '#web/platform/reporting/reporting.ts';
import { whenReady } from '#web/platform/router/app-router.ts';
import { layout } from '#web/platform/router/screen.ts';
import { installErrorHandlers } from '#web/platform/updates/error-handlers.ts';
import { createTestRouter } from '../../test-router.ts';
import { answerFetches, json, openPage } from '../page.ts';
import { collectEvents, type SentEvent } from './collector.ts';

let remove: () => void;
beforeEach(() => {
  openPage();
  answerFetches(() => json({}));
  setReporter(null);
  remove = installErrorHandlers();
});
afterEach(() => {
  cleanup();
  remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Frame() {
  return <Outlet />;
}

function Broken(): never {
  throw new Error('No seat for Ann Bee');
}

async function openBrokenScreen(): Promise<void> {
  // React and the router log the error as well.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const client = new QueryClient();
  const router = createTestRouter(
    withRoot([layout(Frame, [{ path: '/broken', Component: Broken }])]),
    ['/broken'],
    client,
  );
  await whenReady(router);
  await act(async () => render(<App client={client} router={router} />));
}

const functionsOf = (events: readonly SentEvent[]) =>
  events.map(({ exception }) =>
    exception.values.flatMap(({ stacktrace }) => stacktrace.frames.map((frame) => frame.function)),
  );

describe('the report', () => {
  test('of a rendering error names the components around it, once', async () => {
    const events = await collectEvents(['Ann Bee']);
    await openBrokenScreen();
    expect(events).toMatchObject([{ environment: 'production', release: '1' }]);
    expect(events[0]?.exception.values.map(({ value }) => value)).toEqual(
      Array(2).fill('No seat for [private]'),
    );
    expect(functionsOf(events)[0]).toEqual(expect.arrayContaining(['Broken', 'Frame']));
  });

  test('of a rendering error before the sender is loaded does so too', async () => {
    await openBrokenScreen();
    const events = await collectEvents();
    expect(events).toHaveLength(1);
    expect(functionsOf(events)[0]).toEqual(expect.arrayContaining(['Broken', 'Frame']));
  });

  test('of an error outside the screens is sent by the handler of the window, with the components', async () => {
    vi.stubGlobal('reportError', (error: Error) =>
      window.dispatchEvent(new ErrorEvent('error', { error, message: error.message })),
    );
    const events = await collectEvents();
    rootErrorHooks.onUncaughtError?.(new Error('Outside'), {
      componentStack: '\n    at App (https://a.example/a.js:1:2)',
    });
    expect(events).toHaveLength(1);
    expect(functionsOf(events)[0]).toContain('App');
  });

  test('of an error that other code reports is not sent if the specification suppresses it', async () => {
    const events = await collectEvents();
    for (const text of ['__gCrWeb', 'at webkit-masked-url://hidden/', 'Could not reach {address}'])
      report(new Error(text));
    report(new Error('The last one'));
    expect(events.map(({ exception }) => exception.values[0]?.value)).toEqual(['The last one']);
  });
});
