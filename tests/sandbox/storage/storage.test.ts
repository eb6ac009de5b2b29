import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStorage, type Storage } from '#sandbox/storage/storage.ts';

const origin = 'http://storage.ferry.localhost:8080';
const portal = 'http://my.ferry.localhost:8080';
let directory: string;
let storage: Storage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'storage-'));
  await mkdir(join(directory, 'public/settings'), { recursive: true });
  await writeFile(join(directory, 'public/settings/web.json'), '{"name":"Nordsund"}');
  await writeFile(join(directory, 'public/.hidden'), 'secret');
  await writeFile(join(directory, 'public/page.html'), '<script>alert(1)</script>');
  await writeFile(join(directory, 'private.txt'), 'secret');
  await symlink(join(directory, 'private.txt'), join(directory, 'public/link.txt'));
  storage = createStorage({ directory, allowOrigins: [portal] });
});
afterAll(() => rm(directory, { recursive: true }));

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return storage.fetch(new Request(`${origin}${path}`, init));
}

describe('object storage', () => {
  test('serves a public object with its type and ETag, and answers 304 when it is unchanged', async () => {
    const first = await ask('/public/settings/web.json');
    expect(await first.json()).toEqual({ name: 'Nordsund' });
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const etag = first.headers.get('etag') ?? '';
    const second = await ask('/public/settings/web.json', { headers: { 'if-none-match': `W/"x", ${etag}` } });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe('');
  });

  test('answers HEAD without a body', async () => {
    const response = await ask('/public/settings/web.json', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('19');
    expect(await response.text()).toBe('');
  });

  test.each([
    '/public/../private.txt',
    '/public/%2e%2e/private.txt',
    '/public/..%2fprivate.txt',
    '/public/%2e%2e%2fprivate.txt',
    '/public/settings/..%5c..%5cprivate.txt',
    '/public//etc/passwd',
    '/public/%2Fetc%2Fpasswd',
    '/public/.hidden',
    '/public/link.txt',
    '/public/settings',
    '/public/settings/',
    '/public/',
    '/public',
    '/private.txt',
    '/public/%00',
    '/public/%E0%A4%A',
    '/public/none.json',
    '/',
  ])('answers 404 at %s', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('Not found.');
  });

  test('never serves a page', async () => {
    const response = await ask('/public/page.html');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('can be read only by pages of the product', async () => {
    const from = async (source: string) =>
      (await ask('/public/settings/web.json', { headers: { origin: source } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await from(portal)).toBe(portal);
    expect(await from('http://evil.test')).toBeNull();
    expect(await from('null')).toBeNull();
    expect((await ask('/public/settings/web.json')).headers.get('vary')).toBe('Origin');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s', async (method) => {
    const response = await ask('/public/settings/web.json', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test('answers a preflight', async () => {
    const response = await ask('/public/settings/web.json', {
      method: 'OPTIONS',
      headers: { origin: portal },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
  });
});
