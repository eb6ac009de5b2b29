import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tryReload } from '#web/platform/updates/reload.ts';
import { openPage, TICKETS } from '../platform/page.ts';
import { closeCardProvider, openCardProvider } from './card-provider.ts';
import { answerApi, changeDraft, currentDraft, visit } from './visit-tickets.tsx';

const user = userEvent.setup();

beforeEach(() => {
  openPage(`${TICKETS}/`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  closeCardProvider();
  vi.unstubAllGlobals();
});

test('a card form that still cannot load after a reload shows a problem and keeps the order', async () => {
  const append = vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (node instanceof HTMLScriptElement) queueMicrotask(() => node.onerror?.(new Event('error')));
    }
  });
  tryReload('provider-script');
  changeDraft({ orderId: 'ord_1' });
  answerApi();
  await visit('/?step=pay');
  expect(await screen.findByText('The card form could not load')).toBeDefined();
  append.mockRestore();
  openCardProvider();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: /^Pay \$18\.50/ })).toBeDefined();
  expect(currentDraft().orderId).toBe('ord_1');
});
