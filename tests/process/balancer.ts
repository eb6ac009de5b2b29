import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A round-robin proxy in front of several processes, as in operation: each request goes to the next one. */
export type Balancer = {
  port: number;
  /** Sends requests to the processes on these ports from now on. */
  sendTo(...ports: number[]): void;
  /** The responses so far. */
  answers: { path: string; status: number; port: number }[];
  close(): Promise<void>;
};

/** @param tls its certificate and key; without them it takes plain requests */
export async function openBalancer(tls?: Pick<ServerOptions, 'cert' | 'key'>): Promise<Balancer> {
  let ports: number[] = [];
  let next = 0;
  const answers: Balancer['answers'] = [];
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    next += 1;
    const port = ports[next % ports.length];
    if (port === undefined) outgoing.writeHead(502).end();
    else passOn(incoming, outgoing, { port, answers });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sendTo(...given) {
      ports = given;
    },
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { port, answers }: Pick<Balancer, 'answers'> & { port: number },
): void {
  const { method, url = '/', headers } = incoming;
  const passedOn = httpRequest(
    { host: '127.0.0.1', port, method, path: url, headers, agent: false },
    (answer) => {
      const status = answer.statusCode ?? 502;
      answers.push({ path: url, status, port });
      outgoing.writeHead(status, answer.headers);
      answer.pipe(outgoing);
    },
  );
  passedOn.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passedOn.destroy());
  incoming.pipe(passedOn);
}
