import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { openPage, PORTAL, TOKEN } from '../../platform/page.ts';
import { closeCardProvider, openCardProvider } from '../../tickets/card-provider.ts';
import { answerApi, listAnswer, visitPortal } from '../visit-portal.tsx';

beforeEach(() => {
  openPage(`${PORTAL}/payment_methods`);
  startSession(TOKEN);
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.unstubAllGlobals();
});

test('a card form that cannot load says so, and can be tried again', async () => {
  const user = userEvent.setup();
  const append = vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (node instanceof HTMLScriptElement) queueMicrotask(() => node.onerror?.(new Event('error')));
    }
  });
  answerApi(({ url }) => (url.pathname.endsWith('/payment_cards') ? listAnswer([]) : undefined));
  await visitPortal('/payment_methods');
  await user.click(await screen.findByRole('button', { name: 'Add a card' }));
  expect(await screen.findByText('The card form could not load')).toBeTruthy();
  append.mockRestore();
  openCardProvider();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Add this card' })).toBeTruthy();
});
