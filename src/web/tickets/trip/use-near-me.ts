import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { createStore, useStore } from '#web/platform/create-store.ts';
import type { Position } from './port-groups.ts';

type NearMe = { position: Position | null; problem: string | null; isAsking: boolean };

const TIME_LIMIT_MS = 10_000;
/** A ferry's ports are far apart, so an older position is good enough. */
const POSITION_AGE_MS = 10 * 60_000;
const DENIED = message(
  'Your browser does not say where you are. Search for the port, or choose it from the list.',
);
const NOT_FOUND = message('Your location was not found. Try again, or choose the port from the list.');

/** Shared by both fields while the page is open, and stored nowhere. */
const nearMe = createStore<NearMe>({ position: null, problem: null, isAsking: false });

/** The device's position, asked for only when the customer wants it. `ask` is null where there is nothing to ask. */
export function useNearMe() {
  return { ...useStore(nearMe), ask: 'geolocation' in navigator ? ask : null };
}

function ask(): void {
  nearMe.set((state) => ({ ...state, problem: null, isAsking: true }));
  navigator.geolocation.getCurrentPosition(
    ({ coords }) =>
      nearMe.set({
        position: { lat: coords.latitude, lon: coords.longitude },
        problem: null,
        isAsking: false,
      }),
    ({ code, PERMISSION_DENIED }) =>
      nearMe.set((state) => ({
        ...state,
        problem: t(code === PERMISSION_DENIED ? DENIED : NOT_FOUND),
        isAsking: false,
      })),
    { timeout: TIME_LIMIT_MS, maximumAge: POSITION_AGE_MS },
  );
}
