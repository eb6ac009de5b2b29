import { afterAll, expect, test } from 'vitest';
import { newEmbeddedPlace } from './places.ts';
import { endAll, eventually, type ServerProcess, startServer } from './server-process.ts';
import { buyTicket, publishableKeyOf, sailingsOf } from './shopper.ts';

const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };

afterAll(endAll);

test('the log of a purchase and a sign-in helps operators and contains no private data', async () => {
  const place = newEmbeddedPlace();
  const server = await startServer({ ...place.env, NODE_ENV: 'production', PAYMENTS: 'sandbox' });
  const secrets = await liveThrough(server);
  const output = server.stdout() + server.stderr();
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(3);
    expect(output.includes(secret), `${name} in the log`).toBe(false);
  }
  expect(output).not.toMatch(/127\.0\.0\.1|::1|203\.0\.113/);
  expect(output).not.toMatch(/ord_|hld_|cus_|pi_|gw_|_secret_|sk_test|whsec/);
  expect(output).not.toContain('@');
  expect(output).not.toContain('?');

  const lines = server
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const requests = lines.filter(({ event }) => event === 'request');
  expect(requests.length).toBeGreaterThan(10);
  for (const line of requests) {
    expect(Object.keys(line)).toEqual([
      'time',
      'level',
      'event',
      'method',
      'route',
      'status',
      'ms',
      'request_id',
    ]);
    expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/);
  }
  const ids = new Set(requests.map(({ request_id }) => request_id));
  const mailing = lines.filter(({ event, job }) => event === 'job done' && job.startsWith('send-'));
  expect(mailing.length).toBeGreaterThan(0);
  for (const { request_id } of mailing) {
    expect(request_id.split(' ').filter((id: string) => !ids.has(id))).toEqual([]);
  }
  expect(ids.size).toBe(requests.length);
  const routes = new Set(requests.map(({ route }) => route));
  expect(routes).toContain('/api/orders/:id/payments');
  expect(routes).toContain('/api/customers/sessions/sign_in');
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(server.stderr()).toBe('');
  expect(await server.signal('SIGTERM')).toBe(0);
  await place.remove();
});

/** Buys, signs in, mistypes, requests a mail and fails. @returns all private values that were sent or received */
async function liveThrough(server: ServerProcess): Promise<Record<string, string>> {
  const publishableKey = await publishableKeyOf(server.send);
  const [sailing = ''] = await sailingsOf(server.send);
  const email = 'zebulon.quartermaine@example.com';
  const bought = await buyTicket(server.send, { sailing, email, publishableKey });
  await server.send('/api/orders/lookup', { body: { reference: bought.reference, email } });
  await server.send(`/api/orders/${bought.orderId}/tickets.pdf`);
  await server.send(`/orders/${bought.orderId}/confirmation?token=queryquery`);
  const order = await server.send(`/api/orders/${bought.orderId}`);
  const [ticket] = order.json().data.tickets;
  const body = { ticket_ids: [ticket.id], name: 'Featherstone' };
  const shared = await server.send(`/api/orders/${bought.orderId}/shares`, { body });
  const link = new URL(shared.json().data.url).pathname;
  await server.send(link);
  await server.send(`/api${link}`);
  await server.send(`/api${link}/calendar.ics`);
  await server.send('/api/orders/nosuchorderatall?token=queryquery');
  await server.send('/api/quotes', { body: '{"broken', headers: { 'content-type': 'application/json' } });
  const signedIn = await server.send('/api/customers/sessions/sign_in', {
    host: 'my',
    body: DEMO,
    headers: {
      'x-forwarded-for': '203.0.113.9',
      'user-agent': 'Peculiar/1.0',
      referer: 'http://secretreferer.test/',
    },
  });
  const { token } = signedIn.json();
  await server.send('/api/customers/sessions/sign_in', {
    host: 'my',
    body: { ...DEMO, password: 'mistyped password' },
  });
  await server.send('/api/customers/orders?page=1', { host: 'my', token });
  await server.send('/api/customers/sign_out', { host: 'my', method: 'DELETE', token });
  await eventually(
    async () => (await server.send(`/api/messages?to=${email}`, { host: 'mail' })).json().data.length === 2,
    { what: 'two mails', withinMs: 30_000 },
  );
  return {
    email,
    mailbox: email.split('@', 1)[0] ?? '',
    name: 'Lovelace',
    traveler: 'Quackenbush',
    order: bought.orderId ?? '',
    companion: 'Featherstone',
    link: link.split('/').at(-1) ?? '',
    secret: bought.clientSecret ?? '',
    token,
    password: DEMO.password,
    mistyped: 'mistyped password',
    query: 'queryquery',
    id: 'nosuchorderatall',
    browser: 'Peculiar',
    referer: 'secretreferer',
  };
}
