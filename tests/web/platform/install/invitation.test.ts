import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { isIosBrowser } from '#web/platform/install/device.ts';
import {
  acceptInvitation,
  declineInvitation,
  useInvitation,
  watchInvitation,
} from '#web/platform/install/invitation.ts';
import { captureInstallOffer, takeInstallOffer } from '#web/platform/install/offer.ts';
import { openPage } from '../page.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

captureInstallOffer();
beforeEach(() => {
  openPage();
  takeInstallOffer();
});

function offerInstall() {
  const prompt = vi.fn(async () => undefined);
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(offer));
  return { offer, prompt };
}

function renderInvitation() {
  const { result } = renderHook(useInvitation);
  act(watchInvitation);
  return result;
}

describe('the invitation to install', () => {
  test('is not shown without an install offer of the browser', () => {
    expect(renderInvitation().current).toBeNull();
  });

  test('is shown for an earlier offer, and suppresses the browser’s own prompt', () => {
    const { offer } = offerInstall();
    expect(offer.defaultPrevented).toBe(true);
    expect(renderInvitation().current).toBe('offer');
  });

  test('appears when the browser makes its offer later', () => {
    const invitation = renderInvitation();
    offerInstall();
    expect(invitation.current).toBe('offer');
  });

  test('opens the browser’s prompt once', async () => {
    const { prompt } = offerInstall();
    const invitation = renderInvitation();
    await act(acceptInvitation);
    await act(acceptInvitation);
    expect(prompt).toHaveBeenCalledTimes(1);
    expect(invitation.current).toBeNull();
  });

  test('never appears again once it is declined', () => {
    offerInstall();
    const invitation = renderInvitation();
    act(declineInvitation);
    offerInstall();
    act(watchInvitation);
    expect(invitation.current).toBeNull();
  });

  test('disappears when the app is installed in another way', () => {
    offerInstall();
    const invitation = renderInvitation();
    act(() => void window.dispatchEvent(new Event('appinstalled')));
    expect(invitation.current).toBeNull();
  });

  test('is not shown in the installed app', () => {
    offerInstall();
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    expect(renderInvitation().current).toBeNull();
    vi.restoreAllMocks();
  });
});

describe('isIosBrowser', () => {
  const touched = (userAgent: string, maxTouchPoints = 5) => isIosBrowser({ userAgent, maxTouchPoints });

  test('recognizes an iPhone by its name, and an iPad that reports itself as a Mac by its touch points', () => {
    const mac = SAFARI.replace(
      'iPhone; CPU iPhone OS 18_5 like Mac OS X',
      'Macintosh; Intel Mac OS X 10_15_7',
    );
    expect(touched(SAFARI)).toBe(true);
    expect(touched(mac)).toBe(true);
    expect(touched(mac, 0)).toBe(false);
  });

  test('returns false for a page shown inside another app', () => {
    expect(touched(`${SAFARI} [FBAN/FBIOS;FBAV/450.0]`)).toBe(false);
    expect(touched(SAFARI.replace(/ Version.*/, ' Mobile/15E148'))).toBe(false);
  });
});
