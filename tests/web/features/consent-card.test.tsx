import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { showConsentCard } from '#web/features/consent/show-consent-card.tsx';
import { CONSENT_COOKIE, findDecision } from '#web/platform/analytics/consent-decision.ts';
import { startOutsideScripts } from '#web/platform/analytics/outside-scripts.ts';
import { removeCookie } from '#web/platform/session/cookies.ts';
import { onReload } from '#web/platform/updates/reload.ts';
import { openDocument } from '../platform/analytics/open-document.ts';
import { openPage, TICKETS } from '../platform/page.ts';

const ASKING = { tickets_container_id: 'GTM-T', requires_consent: true };
const card = () => screen.queryByRole('region', { name: 'May we measure how this site is used?' });

beforeEach(() => {
  openPage(`${TICKETS}/`);
});
afterEach(() => {
  removeCookie(CONSENT_COOKIE);
  document.body.replaceChildren();
});

test('refusing takes as many steps as allowing, with buttons that look the same', async () => {
  const page = openDocument(`${TICKETS}/`, ASKING);
  await act(async () => showConsentCard('start'));
  const [refuse, allow] = screen.getAllByRole('button');
  expect([refuse?.textContent, allow?.textContent]).toEqual(['Refuse', 'Allow']);
  expect(refuse?.className).toBe(allow?.className);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Refuse' })));
  expect(card()).toBeNull();
  expect([findDecision(), page.scripts]).toEqual(['refused', []]);
});

test('allowing starts the scripts at once', async () => {
  const page = openDocument(`${TICKETS}/`, ASKING);
  await act(async () => showConsentCard('start'));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Allow' })));
  await expect.poll(() => page.scripts).toHaveLength(1);
});

test('the footer opens it again with the focus, and a refusal then reloads a page whose scripts run', async () => {
  const page = openDocument(`${TICKETS}/`, { ...ASKING, requires_consent: false });
  let reloads = 0;
  onReload(() => {
    reloads += 1;
  });
  await startOutsideScripts();
  expect(page.scripts).toHaveLength(1);
  await act(async () => showConsentCard('requested'));
  expect(document.activeElement).toBe(card());
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Refuse' })));
  expect(reloads).toBe(1);
});

test('it hides on pages that show tickets, and does not open on screens at terminals', async () => {
  const page = openDocument(`${TICKETS}/`, ASKING);
  await act(async () => showConsentCard('start'));
  expect(card()).not.toBeNull();
  await act(async () => void page.enter('/shared_tickets/x'));
  expect(card()).toBeNull();
  document.body.replaceChildren();
  openDocument(`${TICKETS}/departures/MAD?display`, ASKING);
  openPage(`${TICKETS}/departures/MAD?display`);
  await act(async () => showConsentCard('start'));
  expect(card()).toBeNull();
});

test('it says why nothing is measured if the browser objects to tracking', async () => {
  openDocument(`${TICKETS}/`, ASKING, true);
  await act(async () => showConsentCard('requested'));
  expect(card()?.textContent).toContain('Your browser refuses tracking');
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Close' })));
  expect(findDecision()).toBeNull();
});
