import { createServer, type Server } from 'node:http';

/** A server of `/metrics` alone, on a port that is not public. */
export function createMetricsServer(render: () => Promise<{ text: string; contentType: string }>): Server {
  return createServer(async (incoming, outgoing) => {
    if (incoming.url !== '/metrics') {
      outgoing.writeHead(404).end();
      return;
    }
    const { text, contentType } = await render();
    outgoing.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
  });
}
