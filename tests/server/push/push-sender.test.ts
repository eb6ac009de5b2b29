import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '#sandbox/push-service/browsers.ts';
import { createVault } from '#server/core/vault.ts';
import { pushKeys } from '#server/database/schema/push.ts';
import { isPublicAddress, lookUpPublic, PrivateAddressError } from '#server/push/public-address.ts';
import { loadPushKey } from '#server/push/push-key.ts';
import type { OutgoingPush } from '#server/push/push-port.ts';
import { openPushSender } from '#server/push/push-sender.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const outgoing = (endpoint: string): OutgoingPush => ({
  ...createBrowser(),
  ...{ endpoint, text: 'late', ttlSeconds: 60, urgency: 'high', topic: 'boat' },
});

describe('endpoints', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/QOabc',
  ])('%s is accepted', (endpoint) => {
    expect(server.context.push.accepts(endpoint)).toBe(true);
  });

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/fcm/send/abc',
    'https://user:secret@fcm.googleapis.com/fcm/send/abc',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[2606:4700::1111]/x',
    'https://localhost/x',
    'https://database/x',
    'http://push.ferry.localhost:8081/push/x',
    'http://mail.ferry.localhost:8080/push/x',
    'javascript:alert(1)',
    'no address',
  ])('%s is refused', async (endpoint) => {
    expect(server.context.push.accepts(endpoint)).toBe(false);
    expect(await server.context.push.send(outgoing(endpoint))).toBe('refused');
  });

  it('whose name leads into a private network are not connected to', async () => {
    const lookUp = promisify(lookUpPublic) as (name: string, options: object) => Promise<unknown>;
    await expect(lookUp('localhost', {})).rejects.toBeInstanceOf(PrivateAddressError);
  });

  it.each(['8.8.8.8', '172.15.0.1', '2606:4700:4700::1111'])(
    '%s is an address of the internet',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001::1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    'not an address',
  ])('%s is not an address of the internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the answers of a push service', () => {
  const answers = async (status: number, headers: Record<string, string> = {}) => {
    const { origin } = server.pushService;
    const fetch = async () => new Response(null, { status, headers });
    const sender = await openPushSender(server.context, { origin, fetch });
    return sender.send(outgoing(`${origin}/push/1`));
  };

  it('say whether the push was sent, the subscription has ended, or a repetition makes sense', async () => {
    expect(await answers(201)).toBe('sent');
    expect(await answers(404)).toBe('gone');
    expect(await answers(410)).toBe('gone');
    expect(await answers(400)).toBe('refused');
    expect(await answers(403)).toBe('refused');
    expect(await answers(413)).toBe('refused');
    expect(await answers(500)).toEqual({ retryAfterSeconds: null });
    expect(await answers(429, { 'retry-after': '120' })).toEqual({ retryAfterSeconds: 120 });
    expect(await answers(429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' })).toEqual({
      retryAfterSeconds: null,
    });
  });

  it('are not waited for if there is no connection', async () => {
    const { origin } = server.pushService;
    const fetch = async () => Promise.reject(new TypeError('fetch failed'));
    const sender = await openPushSender(server.context, { origin, fetch });
    expect(await sender.send(outgoing(`${origin}/push/1`))).toEqual({ retryAfterSeconds: null });
  });
});

describe('the key for push services', () => {
  it('is created once, and stored encrypted', async () => {
    const key = await loadPushKey(server.context);
    expect((await loadPushKey(server.context)).publicKey).toBe(key.publicKey);
    const [stored] = await server.context.db.select().from(pushKeys);
    const authorization = key.authorize({
      ...{ origin: 'https://push.example', contact: 'mailto:a@example.com', now: server.clock.now() },
    });
    expect(authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]{86}, k=[\w-]{87}$/);
    expect(server.context.vault.decrypt(stored?.encryptedPrivateKey ?? '')).not.toBe('');
  });

  it('is replaced if it cannot be decrypted', async () => {
    const before = (await loadPushKey(server.context)).publicKey;
    const vault = createVault('another secret of thirty-two characters or more');
    const replaced = await loadPushKey({ ...server.context, vault });
    expect(replaced.publicKey).not.toBe(before);
    expect((await loadPushKey({ ...server.context, vault })).publicKey).toBe(replaced.publicKey);
  });
});
