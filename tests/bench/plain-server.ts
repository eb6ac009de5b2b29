import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/* Answers a ping with Node only, without framework or middleware. Run as a separate process. */

const body = JSON.stringify({ success: true, pong: true });
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
