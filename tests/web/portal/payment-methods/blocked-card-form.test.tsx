import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { tryReload } from '#web/platform/updates/reload.ts';
import { openPage, PORTAL, TOKEN } from '../../platform/page.ts';
import { closeCardProvider, openCardProvider } from '../../tickets/card-provider.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

let page: ReturnType<typeof openPage>;

beforeEach(() => {
  page = openPage(`${PORTAL}/payment_methods`);
  startSession(TOKEN);
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.unstubAllGlobals();
});

function blockScripts() {
  return vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (node instanceof HTMLScriptElement) queueMicrotask(() => node.onerror?.(new Event('error')));
    }
  });
}

test('a card form that cannot load reloads the page once', async () => {
  const append = blockScripts();
  answerApi(({ url }) => (url.pathname.endsWith('/payment_cards') ? listAnswer([]) : undefined));
  await visitPortal('/payment_methods');
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Add a card' }));
  await waitFor(() => expect(page.reloads).toBe(1));
  expect(page.reports).toEqual([]);
  append.mockRestore();
});

test('a card form that cannot load after the reload shows a problem, and can be tried again', async () => {
  const user = userEvent.setup();
  const append = blockScripts();
  tryReload('provider-script');
  answerApi(({ url }) => (url.pathname.endsWith('/payment_cards') ? listAnswer([]) : undefined));
  await visitPortal('/payment_methods');
  await user.click(await screen.findByRole('button', { name: 'Add a card' }));
  expect(await screen.findByText('The card form could not load')).toBeTruthy();
  append.mockRestore();
  openCardProvider();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Add this card' })).toBeTruthy();
});
