import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { notificationStore } from '#web/platform/notifications/notifications.ts';
import { beginBusy, busyReasons, isBusy, onIdle } from '#web/platform/updates/busy.ts';
import { onReloadPage, reloadPage, tryReload } from '#web/platform/updates/reload.ts';
import { watchPage } from '#web/platform/updates/reload-safety.ts';
import { openPage } from '../page.ts';

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
});
afterEach(() => {
  openPage();
  vi.useRealTimers();
});

describe('an automatic reload', () => {
  test('happens at most twice in ten minutes over all causes', () => {
    expect(tryReload('version')).toBe(true);
    expect(tryReload('provider-script')).toBe(true);
    expect(tryReload('call-stack')).toBe(false);
    vi.setSystemTime(Date.now() + 10 * 60 * 1000);
    expect(tryReload('call-stack')).toBe(true);
    expect(page.reloads).toBe(3);
  });

  test('happens once in ten minutes for one cause', () => {
    expect(tryReload('version')).toBe(true);
    expect(tryReload('version')).toBe(false);
  });

  test('happens once for each release', () => {
    expect(tryReload('version', '2')).toBe(true);
    expect(tryReload('version', '2')).toBe(false);
    expect(tryReload('version', '3')).toBe(true);
  });

  test('never happens while the API is unavailable', () => {
    markUnavailable();
    expect(tryReload('version')).toBe(false);
  });

  test('never happens while the page is busy', () => {
    const idle = vi.fn();
    const stop = onIdle(idle);
    const done = beginBusy('a payment is open');
    const endTyping = beginBusy('a form is being typed');
    expect(busyReasons()).toEqual(['a payment is open', 'a form is being typed']);
    expect(tryReload('version')).toBe(false);
    done();
    done();
    expect(isBusy()).toBe(true);
    expect(idle).not.toHaveBeenCalled();
    endTyping();
    expect(idle).toHaveBeenCalledTimes(1);
    expect(tryReload('version')).toBe(true);
    stop();
  });

  test('never happens while a dialog is open or a field is being typed in', () => {
    watchPage(() => false);
    document.body.innerHTML = '<dialog open></dialog>';
    expect(tryReload('version')).toBe(false);
    document.body.innerHTML = '<input value="Ad" />';
    document.querySelector('input')?.focus();
    expect(tryReload('call-stack')).toBe(false);
    document.body.replaceChildren();
    expect(page.reloads).toBe(0);
  });

  test('never happens where it cannot be counted', () => {
    const throwBlocked = () => {
      throw new Error('throwBlocked');
    };
    vi.stubGlobal('sessionStorage', { getItem: throwBlocked, setItem: throwBlocked, clear: () => undefined });
    expect(tryReload('version')).toBe(false);
    vi.unstubAllGlobals();
    expect(page.reloads).toBe(0);
  });
});

describe('the severity of a busy reason', () => {
  test('a light reason prevents a reload only while the page is visible', () => {
    const done = beginBusy('a purchase', 'light');
    expect(isBusy()).toBe(true);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    expect(isBusy()).toBe(false);
    visibility.mockRestore();
    done();
  });

  test('a card form whose script failed can be reloaded unless a payment is pending', () => {
    const open = beginBusy('a payment is open');
    const sent = beginBusy('a payment is on its way', 'hard');
    expect(tryReload('provider-script')).toBe(false);
    sent();
    expect(tryReload('provider-script')).toBe(true);
    open();
  });
});

describe('a reload by the customer', () => {
  test('happens even if something is being typed', () => {
    const done = beginBusy('a form is being typed');
    reloadPage();
    expect(page.reloads).toBe(1);
    done();
  });

  test('is refused with a warning while a payment is pending', () => {
    const done = beginBusy('a payment is on its way', 'hard');
    reloadPage();
    expect(page.reloads).toBe(0);
    expect(notificationStore.get().items[0]).toMatchObject({ type: 'warning' });
    done();
    reloadPage();
    expect(page.reloads).toBe(1);
  });

  test('is refused if a payment is pending when the reload is due', () => {
    const done = beginBusy('a payment is on its way', 'hard');
    expect(tryReload('by-hand')).toBe(false);
    expect(page.reloads).toBe(0);
    done();
    expect(tryReload('by-hand')).toBe(true);
  });

  test('is neither counted nor limited', () => {
    for (const cause of ['version', 'call-stack', 'by-hand', 'by-hand'] as const) tryReload(cause);
    expect(page.reloads).toBe(4);
  });

  test('installs the waiting release instead', () => {
    onReloadPage(() => true);
    reloadPage();
    expect(page.reloads).toBe(0);
    onReloadPage(() => false);
  });
});
