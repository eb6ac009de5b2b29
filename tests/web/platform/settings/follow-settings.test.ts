import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectionPhase } from '#web/platform/connection/connection.ts';
import { followSettings } from '#web/platform/settings/follow-settings.ts';
import { currentSettings } from '#web/platform/settings/settings.ts';
import { answerFetches, json, openPage } from '../page.ts';

type Listener = (state: { navigation: { state: string } }) => void;

let navigate: (state: string) => void;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  openPage();
  const listeners: Listener[] = [];
  followSettings({ subscribe: (listener) => listeners.push(listener) });
  navigate = (state) => {
    for (const listener of listeners) listener({ navigation: { state } });
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
const show = () => document.dispatchEvent(new Event('visibilitychange'));

describe('followSettings', () => {
  test.each([
    ['comes back into view', show],
    ['opens a screen', () => navigate('loading')],
  ])('fetches the settings when the app %s', async (_, happen) => {
    const requests = answerFetches(() => json({ brand: { name: 'Renamed' } }));
    later(10_000);
    happen();
    await vi.waitFor(() => expect(currentSettings().brand.name).toBe('Renamed'));
    expect(requests).toHaveLength(1);
  });

  test('fetches at most once in ten seconds, and not while the connection is lost', () => {
    const requests = answerFetches(() => json({ brand: { name: 'Renamed' } }));
    navigate('loading');
    later(10_000);
    navigate('idle');
    connectionPhase.set('lost');
    navigate('loading');
    expect(requests).toHaveLength(0);
    connectionPhase.set('available');
    navigate('loading');
    navigate('loading');
    show();
    expect(requests).toHaveLength(1);
  });
});
