import { afterAll, afterEach, expect, test } from 'vitest';
import { runNpmScript } from './command-line.ts';
import { HOST_NAMES } from './http-client.ts';
import { newPostgresPlace, type Place } from './places.ts';
import { endAll, type ServerProcess, startServer } from './server-process.ts';

const TEST_KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_51NotARealKeyOfAnybody',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_51NotARealKeyOfAnybody',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
};
const LIVE = {
  NODE_ENV: 'production',
  STRIPE_SECRET_KEY: 'sk_live_51NotARealKeyOfAnybody',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_51NotARealKeyOfAnybody',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
  // Nothing is mailed in these tests, so nothing listens there.
  SMTP_URL: 'smtp://127.0.0.1:9',
};
const SANDBOX_PATHS = [
  '/v1/payment_intents',
  '/v1/charges',
  '/endive/stripe.js',
  '/sandbox/knobs',
  '/api/messages',
  '/messages/x',
];

let place: Place;
afterEach(async () => {
  await endAll();
  await place?.remove();
});
afterAll(endAll);

test('a server with live keys and a mail server has no stand-ins and loads no demo', async () => {
  place = await newPostgresPlace({ isEmpty: true });
  const server = await startServer({ ...place.env, ...LIVE });
  for (const host of ['pay', 'mail', 'localhost']) {
    for (const path of ['/', ...SANDBOX_PATHS]) {
      const reply = await server.send(path, { host });
      expect([host, path, reply.status]).toEqual([host, path, 421]);
    }
  }
  for (const host of HOST_NAMES) {
    for (const path of SANDBOX_PATHS) {
      const reply = await server.send(path, { host });
      expect([path, reply.status]).toEqual([path, /^\/api\/|\.js$/.test(path) ? 404 : 302]);
    }
  }
  const database = await place.openDatabase();
  const counts = await database.store.query(`
    select (select count(*)::int from customers) as customers, (select count(*)::int from sailings) as sailings,
      (select count(*)::int from feed) as feeds, (select count(*)::int from orders) as orders,
      (select count(*)::int from pg_namespace where nspname = 'sandbox') as sandboxes
  `);
  expect(counts).toEqual([{ customers: 0, sailings: 0, feeds: 0, orders: 0, sandboxes: 0 }]);
  await database.close();

  const page = await server.send('/');
  expect(page.status, 'also before a timetable was imported').toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain('https://js.stripe.com');
  expect(policy).not.toContain('pay.ferry.localhost');
  expect(page.text).toContain('https://js.stripe.com/endive/stripe.js');
  expect(page.text).toMatch(/"is_test":false/);
  expect(page.text).not.toContain('by ferry across the sound');
  expect((await signIn(server)).status).toBe(422);
  expect(server.stdout()).not.toMatch(/by ferry across the sound|demo@|4242 4242/);
});

test('a start with live keys closes the demo of an earlier start, and names the command that removes it', async () => {
  place = await newPostgresPlace();
  const server = await startServer({ ...place.env, ...LIVE });
  const refused = await signIn(server);
  expect([refused.status, refused.json().errors[0].code]).toEqual([422, 'demo_closed']);
  expect(server.stdout()).toContain('"command":"npm run demo:remove"');
  const { stdout, exitCode } = await runNpmScript('demo:remove', [], { env: place.env });
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Removed: 1 customer, /)]);
  expect((await signIn(server)).status).toBe(422);
});

test('production uses the stand-in only if it is configured, and every page then says that payments are simulated', async () => {
  place = await newPostgresPlace();
  const server = await startServer({ ...place.env, NODE_ENV: 'production', PAYMENTS: 'sandbox' });
  expect((await server.send('/sandbox/knobs', { host: 'pay' })).status).toBe(200);
  expect((await server.send('/')).text).toMatch(/"is_test":true/);
  expect((await signIn(server)).status).toBe(200);
  const lines = server.stdout().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).event)).toContain('started');
});

test('test keys of the real provider create no demo customer on an installation without one', async () => {
  place = await newPostgresPlace({ isEmpty: true });
  const server = await startServer({ ...place.env, ...TEST_KEYS });
  expect((await signIn(server)).status).toBe(422);
  expect((await server.send('/', { host: 'pay' })).status).toBe(421);
  expect((await server.send('/', { host: 'mail' })).status).toBe(200);
  expect((await server.send('/')).text).toMatch(/"is_test":true/);
  expect(server.stdout()).not.toContain('Test cards');
});

function signIn(server: ServerProcess) {
  return server.send('/api/customers/sessions/sign_in', {
    host: 'my',
    body: { email: 'demo@harborline.example', password: 'by ferry across the sound' },
  });
}
