import { connectionPhase } from '../connection/connection.ts';
import { loadSettings } from './load-settings.ts';

/** Limits the requests of quick navigations. */
const AT_MOST_EVERY_MS = 10_000;

type Navigations = { subscribe: (listener: (state: { navigation: { state: string } }) => void) => unknown };

/** Refreshes the settings of an open app when it becomes visible and on navigations. */
export function followSettings(navigations: Navigations): void {
  let askedAt = Date.now();
  const refresh = () => {
    const isDue = Math.abs(Date.now() - askedAt) >= AT_MOST_EVERY_MS;
    if (!isDue || connectionPhase.get() !== 'available') return;
    askedAt = Date.now();
    void loadSettings();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refresh();
  });
  navigations.subscribe(({ navigation }) => {
    if (navigation.state === 'loading') refresh();
  });
}
