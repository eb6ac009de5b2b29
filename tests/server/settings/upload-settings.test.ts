import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createSettingsPublisher } from '#server/settings/publish-settings.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const KEYS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** A bucket that accepts uploads with a valid signature, as the documents of AWS define it. */
async function openBucket() {
  const objects = new Map<string, { body: string; headers: IncomingMessage['headers'] }>();
  const state = { status: 200, uploads: 0 };
  const listener = createServer(async (incoming, outgoing) => {
    const body = await readText(incoming);
    state.uploads += 1;
    const status = isSigned(incoming, body) ? state.status : 403;
    if (status === 200) objects.set(incoming.url ?? '', { body, headers: incoming.headers });
    outgoing.writeHead(status).end(status === 200 ? '' : '<Error><Code>SlowDown</Code></Error>');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const stop = () => new Promise((resolve) => listener.close(resolve));
  return { url: `http://127.0.0.1:${port}/a-bucket`, objects, state, stop };
}

function isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
  const match = /Credential=(.*?)\/(.*?), SignedHeaders=(.*?), Signature=(\w+)/.exec(
    headers.authorization ?? '',
  );
  const [, keyId, scope = '', names = '', signature] = match ?? [];
  const hash = (content: string) => createHash('sha256').update(content).digest('hex');
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`);
  const canonical = `${method}\n${url}\n\n${signed.join('')}\n${names}\n${headers['x-amz-content-sha256']}`;
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${hash(canonical)}`;
  let key: Buffer = Buffer.from(`AWS4${KEYS.secretAccessKey}`);
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest();
  const isWhole = headers['x-amz-content-sha256'] === hash(body) && names.split(';').includes('host');
  return (
    keyId === KEYS.accessKeyId &&
    isWhole &&
    signature === createHmac('sha256', key).update(text).digest('hex')
  );
}

test('the settings are uploaded once per change, and a failed upload is repeated after a minute', async () => {
  const bucket = await openBucket();
  const storageUpload = { bucketUrl: bucket.url, region: 'eu-central-1', ...KEYS };
  const context = { ...server.context, config: { ...server.context.config, storageUpload } };
  const publisher = createSettingsPublisher(context);
  const published = () =>
    JSON.parse(bucket.objects.get('/a-bucket/public/settings/web.json')?.body ?? 'null');
  const failures = () => server.logged.filter(({ event }) => event === 'settings not uploaded');

  bucket.state.status = 503;
  await publisher.publish();
  await expect.poll(failures).toMatchObject([{ code: 'status 503 SlowDown' }]);
  bucket.state.status = 200;
  await publisher.publish();
  expect([bucket.state.uploads, published()]).toEqual([1, null]);
  server.clock.advance(60_000);
  await publisher.publish();
  await expect.poll(published).toMatchObject({ brand: { name: 'Ferry tickets' } });
  expect(bucket.objects.values().next().value?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
    // Object storage refuses a body without its length.
    'content-length': expect.stringMatching(/^\d+$/),
  });

  await storeWebSettings(server.context, demoSettings);
  await publisher.publish();
  await expect.poll(published).toMatchObject({ brand: demoSettings.brand });
  await publisher.publish();
  await publisher.stop();
  expect(bucket.state.uploads).toBe(3);
  expect(JSON.stringify(server.logged)).not.toContain(KEYS.secretAccessKey);
  await bucket.stop();
});

test('an upload needs the bucket, both keys and the address where browsers find it', () => {
  const all = {
    STORAGE_ORIGIN: 'https://files.example.com',
    STORAGE_BUCKET_URL: 'https://files.s3.eu-central-1.amazonaws.com',
    STORAGE_REGION: 'eu-central-1',
    STORAGE_ACCESS_KEY_ID: 'id',
    STORAGE_SECRET_ACCESS_KEY: 'key',
  };
  expect(readConfig({}).storageUpload).toBeNull();
  expect(readConfig(all).storageUpload).toEqual({
    bucketUrl: all.STORAGE_BUCKET_URL,
    region: 'eu-central-1',
    accessKeyId: 'id',
    secretAccessKey: 'key',
  });
  for (const name of ['STORAGE_ORIGIN', 'STORAGE_BUCKET_URL', 'STORAGE_SECRET_ACCESS_KEY']) {
    expect(() => readConfig({ ...all, [name]: '' })).toThrow('together');
  }
});
