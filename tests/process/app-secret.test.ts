import { afterAll, expect, test } from 'vitest';
import { newEmbeddedPlace } from './places.ts';
import { endAll, launch, startServer } from './server-process.ts';

afterAll(endAll);

test('a start with another APP_SECRET is refused with what to do, and the earlier one starts as before', async () => {
  const place = newEmbeddedPlace();
  const refused = await launch({ ...place.env, APP_SECRET: 'not the secret this place was set up with' });
  expect(await refused.exited).toBe(1);
  expect(refused.stderr()).toContain('unset APP_SECRET');
  expect(refused.stderr()).not.toMatch(/\n\s+at /);
  const server = await startServer(place.env);
  const keys = await server.send('/api/keys');
  expect(keys.status).toBe(200);
  expect(await server.signal('SIGTERM')).toBe(0);
  await place.remove();
});
