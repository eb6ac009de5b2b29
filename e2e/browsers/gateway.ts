import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { newNetworkAddress } from '#tests/process/http-client.ts';

/** A proxy between browsers and the product that can be stopped to simulate a lost network. */
export type Gateway = {
  /** Closes all connections and refuses new ones. */
  disconnect(): Promise<void>;
  /** Does nothing while it is connected. */
  reconnect(): Promise<void>;
  /** From now on requests come from another network address, because rate limits count by network. */
  changeAddress(): void;
};

export async function openGateway(port: number, productPort: number): Promise<Gateway> {
  let address = newNetworkAddress();
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, productPort, address));
  const gateway: Gateway = {
    disconnect: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    reconnect: () =>
      new Promise((resolve) => {
        if (server.listening) resolve();
        else server.listen(port, '127.0.0.1', resolve);
      }),
    changeAddress() {
      address = newNetworkAddress();
    },
  };
  await gateway.reconnect();
  return gateway;
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number, address: string): void {
  const { method, url = '/' } = incoming;
  const headers = { ...incoming.headers, 'x-forwarded-for': address };
  const forwarded = httpRequest(
    { host: '127.0.0.1', port, method, path: url, headers, agent: false },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  forwarded.on('error', () => outgoing.destroy());
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
