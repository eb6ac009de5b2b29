import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newNetworkAddress } from '#tests/process/http-client.ts';
import { PORT } from './addresses.ts';
import { openScripting, type ScriptableApi } from './scriptable-api.ts';

/** Requests of a browser, from pages, workers and redirects. */
export type SentRequest = {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
};
export type VisitorProxy = {
  url: string;
  /** The network address the product takes this browser for. */
  address: string;
  requests: SentRequest[];
  /** Breaks the way to the product: drops, hangs, answers for it. */
  api: ScriptableApi;
  close: () => Promise<void>;
};

/**
 * A proxy as in front of the product in operation: it tells from which address a browser comes. Each test comes from
 * another one, because limits are counted by network; setting the header in the browser would make every request to
 * another host ask for permission first.
 */
export async function openProxy(): Promise<VisitorProxy> {
  const address = newNetworkAddress();
  const requests: SentRequest[] = [];
  // Else a browser sends a request again that met a dead connection from before, and a test would count two.
  const { api, handle } = openScripting(() => server.closeIdleConnections());
  const server = createServer((incoming, outgoing) => {
    requests.push({
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: { ...incoming.headers },
    });
    handle(incoming, outgoing, () => forward(incoming, outgoing, address));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    address,
    requests,
    api,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, address: string): void {
  const { method, headers } = incoming;
  const url = URL.parse(incoming.url ?? '');
  if (url === null || Number(url.port) !== PORT) {
    outgoing.writeHead(502).end();
    return;
  }
  const passedOn = httpRequest(
    {
      host: '127.0.0.1',
      port: PORT,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, 'x-forwarded-for': address },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  passedOn.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passedOn.destroy());
  incoming.pipe(passedOn);
}
