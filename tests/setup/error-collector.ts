import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The raw requests that the error collector received. */
export type Collector = {
  dsn: string;
  received: { url: string; headers: IncomingHttpHeaders; body: string }[];
};

/** A collector of error reports on this machine. */
export async function openCollector(): Promise<Collector & { stop(): Promise<void> }> {
  const received: Collector['received'] = [];
  const server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    incoming.on('end', () => {
      received.push({ url: incoming.url ?? '', headers: incoming.headers, body });
      outgoing.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' });
      outgoing.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    dsn: `http://publickey@127.0.0.1:${port}/7`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The event of a received report. */
export function readEvent({ body }: Collector['received'][number]) {
  const [, , event = ''] = body.split('\n');
  return JSON.parse(event);
}
