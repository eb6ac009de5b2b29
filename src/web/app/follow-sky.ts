import { getSky } from '#domain/time/sky.ts';

const UPDATE_EVERY_MS = 5 * 60_000;

/** Keeps the light in the header that of the hour at the operator's port: the page may be cached, and stays open. */
export function followSky(): void {
  const root = document.documentElement;
  const [lat, lon] = (root.dataset.place ?? '').split(' ').map(Number);
  if (lat === undefined || lon === undefined) return;
  const update = () => {
    root.dataset.sky = getSky(Date.now(), { lat, lon });
  };
  update();
  setInterval(update, UPDATE_EVERY_MS);
}
