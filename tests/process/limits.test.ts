import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostHeader, open, sendRaw } from './http-client.ts';
import { newEmbeddedPlace, type Place } from './places.ts';
import { endAll, type ServerProcess, startServer } from './server-process.ts';

const TEN_MEGABYTES = 10 * 1024 * 1024;
const POSTS = ['/api/quotes', '/api/orders', '/api/customers/sessions/sign_in', '/api/provider/webhooks'];

let place: Place;
let server: ServerProcess;
beforeAll(async () => {
  place = newEmbeddedPlace();
  server = await startServer(place.env);
});
afterAll(async () => {
  await endAll();
  await place.remove();
});

test('a header of 20 KB is refused', async () => {
  const reply = await sendRaw(
    server.port,
    `GET /api/ping HTTP/1.1\r\nHost: ${hostHeader('tickets', server.port)}\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
  );
  expect(reply.status).toBe(431);
});

test('an address of 10 KB is answered like any other', async () => {
  for (const path of [`/api/sailings?route_id=${'a'.repeat(10_000)}`, `/api/orders/${'a'.repeat(10_000)}`]) {
    const { status } = await server.send(path);
    expect([404, 414, 422]).toContain(status);
  }
  expect((await server.send(`/?utm=${'a'.repeat(10_000)}`)).status).toBe(200);
  expect((await server.send(`/${'a/'.repeat(5_000)}`)).status).toBe(302);
});

test('two thousand parameters are refused', async () => {
  const query = Array.from({ length: 2_000 }, (_, index) => `a${index}=1`).join('&');
  const repeated = Array.from({ length: 2_000 }, () => 'page=1').join('&');
  const { token } = (
    await server.send('/api/customers/sessions/sign_in', {
      body: { email: 'demo@harborline.example', password: 'by ferry across the sound' },
    })
  ).json();
  for (const search of [query, repeated]) {
    expect((await server.send(`/api/sailings?${search}`)).status).toBe(422);
    expect((await server.send(`/api/customers/orders?${search}`, { token })).status).toBe(422);
  }
});

test.each(POSTS.slice(0, 3))('%s accepts uncompressed JSON, no compressed body and no form', async (path) => {
  const packed = await server.send(path, {
    body: gzipSync('{}'),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect([packed.status, packed.json().errors[0].code]).toEqual([415, 'unsupported_media_type']);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const reply = await server.send(path, { body: '{}', headers: { 'content-type': type } });
    expect([type, reply.status]).toEqual([type, 415]);
  }
});

test.each(POSTS)('%s refuses a body of ten megabytes with a Content-Length', async (path) => {
  const text = await sendLarge(path, `Content-Length: ${TEN_MEGABYTES}`, (megabyte) => megabyte);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain('payload_too_large');
});

test.each(POSTS)('%s refuses a chunked body of ten megabytes', async (path) => {
  const inPieces = (megabyte: string) => `${megabyte.length.toString(16)}\r\n${megabyte}\r\n`;
  const text = await sendLarge(path, 'Transfer-Encoding: chunked', inPieces);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain('payload_too_large');
});

test('an unexpected body is not read', async () => {
  const text = await sendLarge('/api/ping', `Content-Length: ${TEN_MEGABYTES}`, (megabyte) => megabyte);
  expect(text).toMatch(/^HTTP\/1\.1 4(05|13) /);
});

test('a request with two lengths is refused', async () => {
  const head = ['POST /api/quotes HTTP/1.1', `Host: ${hostHeader('tickets', server.port)}`];
  for (const lengths of [
    ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ['Content-Length: 2', 'Content-Length: 3'],
    ['Content-Length: -1'],
    ['Transfer-Encoding: gzip, chunked, x'],
  ]) {
    const reply = await sendRaw(server.port, [...head, ...lengths, '', '{}'].join('\r\n'));
    expect(reply.status).toBe(400);
  }
});

test('the server still works after all these requests, and has logged no failure', async () => {
  expect((await server.send('/api/catalogue')).status).toBe(200);
  const lines = server
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(lines.filter((line) => ['error', 'warn'].includes(JSON.parse(line).level))).toEqual([]);
  expect(server.stderr()).toBe('');
});

/** Sends ten megabytes and reads concurrently, until the server closes the connection. */
async function sendLarge(path: string, length: string, wrap: (megabyte: string) => string): Promise<string> {
  const socket = await open(server.port);
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('}')) resolve(text);
    });
    // The server stops reading at some point, which the sender may notice first.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostHeader('tickets', server.port)}`,
      'Content-Type: application/json',
      length,
      '',
      '',
    ].join('\r\n'),
  );
  const megabyte = wrap('a'.repeat(TEN_MEGABYTES / 10));
  for (let sent = 0; sent < 10 && !socket.destroyed; sent += 1) socket.write(megabyte);
  const text = await answer;
  socket.destroy();
  return text;
}
