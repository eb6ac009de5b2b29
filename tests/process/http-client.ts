import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';

/** The names of the hosts in the parent domain. */
export const HOST_NAMES = HOSTS.map((host) => servedHosts[host].subdomain);

/** A response whose body a test reads field by field. */
export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, also broken ones
  json(): any;
};

export type RequestOptions = {
  method?: string;
  /** `tickets` (the default) and the other names of hosts, or a whole Host header. */
  host?: string;
  headers?: OutgoingHttpHeaders;
  /** An object is sent as JSON, a string unchanged. */
  body?: object | string | Buffer;
  token?: string;
  idempotencyKey?: string;
  /** The certificate to trust: sends the request over TLS. */
  certificate?: string | Buffer;
};

const GIVE_UP_AFTER_MS = 60_000;

/** Sends one request on a separate connection to 127.0.0.1, with the Host that a browser sends. */
export function request(port: number, path: string, options: RequestOptions = {}): Promise<Reply> {
  const { method, host = 'tickets', headers = {}, body, token, idempotencyKey, certificate } = options;
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const payload = isJson ? JSON.stringify(body) : body;
  return new Promise((resolve, reject) => {
    const send = certificate === undefined ? httpRequest : httpsRequest;
    const outgoing = send(
      {
        ...(certificate === undefined ? {} : { ca: certificate, servername: host }),
        host: '127.0.0.1',
        port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        agent: false,
        timeout: GIVE_UP_AFTER_MS,
        headers: {
          host: hostHeader(host, port),
          // Read by servers that trust a proxy: each request comes from another network.
          'x-forwarded-for': newNetworkAddress(),
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          const { statusCode = 0, headers: received } = incoming;
          resolve({ status: statusCode, headers: received, text, bytes, json: () => JSON.parse(text) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer: ${path}`)));
    outgoing.end(payload);
  });
}

/** An address in a random network; limits count IPv4 callers by their /24. */
export function newNetworkAddress(): string {
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint8Array(2));
  return `10.${a}.${b}.7`;
}

export function hostHeader(name: string, port: number): string {
  if (name === 'localhost') return `localhost:${port}`;
  return /^[a-z]+$/.test(name) ? `${name}.ferry.localhost:${port}` : name;
}

/** Sends raw bytes and reads until the server closes; client libraries would correct malformed requests. */
export async function sendRaw(port: number, bytes: string): Promise<{ status: number; text: string }> {
  const socket = await open(port);
  socket.write(bytes);
  const text = await readToEnd(socket);
  return { status: Number(text.split(' ', 2)[1]), text };
}

/** A connection on which nothing was sent yet. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Reads until the other side closes or resets the connection. */
export function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    // After a reset, the data received so far counts.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}
