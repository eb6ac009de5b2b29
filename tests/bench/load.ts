import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

export type Load = {
  /** Requests answered, per second of the clock. */
  perSecond: number;
  /** Requests answered, per second of processor time the server's process took; null where that is unknown. */
  perCpuSecond: number | null;
};

/** Below the limit of a network in a minute, and enough for batches of counts. */
const REQUESTS_PER_NETWORK = 300;
/** Clock ticks of /proc: a hundred a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Sends the same request over kept connections, one at a time on each, for a while. Plain sockets, because an
 * HTTP client costs more than the server under test; what the server's processor did is counted apart, so that
 * the generator's own cost does not flatter the slower server.
 * @throws when an answer is not a 200
 */
export async function generateLoad(server: {
  port: number;
  pid: number;
  path: string;
  host: string;
  connections?: number;
  forMs: number;
}): Promise<Load> {
  const { port, pid, path, host, connections = 32, forMs } = server;
  const start = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n`;
  const end = performance.now() + forMs;
  const cpuBefore = cpuSecondsOf(pid);
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => runConnection(port, start, end)),
  );
  const seconds = (performance.now() - started) / 1000;
  const answered = counts.reduce((sum, count) => sum + count, 0);
  const cpuSeconds = cpuBefore === null ? null : (cpuSecondsOf(pid) ?? 0) - cpuBefore;
  return { perSecond: answered / seconds, perCpuSecond: cpuSeconds ? answered / cpuSeconds : null };
}

function runConnection(port: number, start: string, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let request = fromNewNetwork(start);
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let answered = 0;
    // Answers differ in nothing but ids and dates, so the first one tells the length of all.
    let length: number | null = null;
    let received = 0;
    let first = '';
    socket.once('connect', () => socket.write(request));
    socket.on('data', (data) => {
      received += data.length;
      if (received === data.length && data.toString('latin1', 9, 12) !== '200') {
        return socket.destroy(new Error(`Answered ${data.toString('latin1', 0, 200)}`));
      }
      if (length === null) {
        first += data.toString('latin1');
        length = lengthOf(first);
      }
      if (length === null || received < length) return;
      answered += 1;
      received = 0;
      if (answered % REQUESTS_PER_NETWORK === 0) request = fromNewNetwork(start);
      if (performance.now() < end) socket.write(request);
      else socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answered));
  });
}

/** For a server that trusts the header as a proxy's; others ignore it. */
function fromNewNetwork(start: string): Buffer {
  const [a, b] = randomUUID().split('-', 2);
  return Buffer.from(`${start}X-Forwarded-For: 2001:db8:${a?.slice(0, 4)}:${b}::1\r\n\r\n`);
}

/** Length of a whole answer, head and body, once its head is there. */
function lengthOf(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const body = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (body === undefined) throw new Error(`The answer tells no length:\n${text.slice(0, head)}`);
  return head + 4 + Number(body);
}

function cpuSecondsOf(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, second, may hold spaces; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
