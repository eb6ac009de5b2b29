import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionStore, startSession } from '#web/platform/session/session.ts';
import { openPage, PORTAL, TICKETS, TOKEN } from '../platform/page.ts';
import { answerApi, visitPortal } from './visit-portal.tsx';

beforeEach(() => {
  openPage();
  answerApi();
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

describe('the portal’s paths', () => {
  test('/ leads to My Orders', async () => {
    startSession(TOKEN);
    const { router } = await visitPortal('/');
    expect(router.state.location.pathname).toBe('/orders');
    await waitFor(() => expect(document.title).toBe('My Orders | Sound Ferries'));
  });

  test.each(['/', '/orders', '/orders?order=X'])('%s leads signed-out visitors to sign-in', async (path) => {
    const { router } = await visitPortal(path);
    expect(router.state.location.pathname).toBe('/sign_in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy();
    expect(sessionStore.get().signInExpired).toBe(false);
    await waitFor(() => expect(document.title).toBe('Sign in | Sound Ferries'));
  });

  test.each(['/account', '/security'])(
    '%s leads signed-out visitors to sign-in, and says so',
    async (path) => {
      const { router } = await visitPortal(path);
      expect(router.state.location.pathname).toBe('/sign_in');
      expect(sessionStore.get().signInExpired).toBe(true);
      expect(await screen.findByText('Please sign in to open that page.')).toBeTruthy();
      expect(screen.queryByText(/session has ended/)).toBeNull();
    },
  );

  test('/sign_in leads signed-in customers to their orders with the warning', async () => {
    startSession(TOKEN);
    const { router } = await visitPortal('/sign_in');
    expect(router.state.location.pathname).toBe('/orders');
    expect(await screen.findByText('You are already signed in')).toBeTruthy();
  });

  test('the warning also appears after following a link to /sign_in', async () => {
    startSession(TOKEN);
    const { router } = await visitPortal('/404');
    await router.navigate('/sign_in');
    expect(await screen.findByRole('heading', { name: 'My Orders' })).toBeTruthy();
    expect(screen.getByText('You are already signed in')).toBeTruthy();
    await router.navigate('/404');
    await waitFor(() => expect(screen.queryByText('You are already signed in')).toBeNull());
  });

  test.each(['/nowhere', '/orders/1', '/sign_in/x'])('%s ends at /404', async (path) => {
    const { router } = await visitPortal(path);
    expect(router.state.location.pathname).toBe('/404');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Page not found | Sound Ferries'));
  });
});

describe('the frame of the portal’s screens', () => {
  test('links signed-in customers to their orders, the ticket office and signing out', async () => {
    startSession(TOKEN);
    await visitPortal('/404');
    expect(screen.getByText('Test payments: no real card is charged')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Robin Castellanos, account menu' })).toBeTruthy();
    const links = [...screen.getByRole('navigation', { name: 'Account' }).querySelectorAll('a')];
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['My Orders', '/orders'],
      ['Trip Cards', '/trip_cards'],
      ['Account', '/account'],
      ['Security', '/security'],
      ['Payment', '/payment_methods'],
      ['Buy tickets', `${TICKETS}/`],
    ]);
  });

  test('links the account menu to the account, its security, its payment methods and signing out', async () => {
    startSession(TOKEN);
    const { router } = await visitPortal('/404');
    const open = async () =>
      userEvent.click(await screen.findByRole('button', { name: 'Robin Castellanos, account menu' }));
    await open();
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      'My Account',
      'Password & Security',
      'Payment Methods',
      'Sign out',
    ]);
    await userEvent.click(screen.getByRole('menuitem', { name: 'Password & Security' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/security'));
    await waitFor(() => expect(document.title).toBe('Password & Security | Sound Ferries'));
    await open();
    await userEvent.click(screen.getByRole('menuitem', { name: 'My Account' }));
    await waitFor(() => expect(document.title).toBe('My Account | Sound Ferries'));
  });

  test('links signed-out customers to no account pages', async () => {
    await visitPortal('/sign_in');
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(screen.queryByRole('button', { name: /account menu/ })).toBeNull();
  });

  test('shows no test notice if payments are real', async () => {
    const provider = { publishable_key: 'pk', script_url: 'https://example.com/x.js', is_test: false };
    openPage(`${PORTAL}/404`, { provider });
    await visitPortal('/404');
    expect(screen.queryByText(/Test payments/)).toBeNull();
  });
});
