import { connect, createServer, type Socket } from 'node:net';

/*
 * A SOCKS5 proxy that behaves like a slow radio link, run as a process of its own so that the link keeps time
 * whatever the measuring process does. Throttling inside the browser has no handshake and misses a service
 * worker's requests; this has one bottleneck for all connections in each direction (fair by segment), a round
 * trip, the handshake's round trip, and slow start. It reaches loopback names only.
 */

type Profile = { roundTripMs: number; downBits: number; upBits: number; loss?: number };
/** `gone`: nothing can be connected to. `stalled`: connections open, and no byte ever comes. */
type Mode = 'open' | 'gone' | 'stalled';
type Direction = 'down' | 'up';

const SEGMENT = 1460;
const FIRST_WINDOW = 10;
const LARGEST_WINDOW = 400;
const FRAME_OVERHEAD = 40;
const QUEUE_LIMIT = 256 * 1024;
/** How soon a lost segment is sent again at the earliest. */
const RESEND_MS = 200;

const profile = JSON.parse(process.argv[2] ?? '{}') as Profile;
const open = new Set<Socket>();
let mode: Mode = 'open';

class Bottleneck {
  readonly flows: Flow[] = [];
  readonly #bitsPerMs: number;
  #isBusy = false;
  #freeAt = 0;

  constructor(bitsPerSecond: number) {
    this.#bitsPerMs = bitsPerSecond / 1000;
  }

  wake(): void {
    if (!this.#isBusy) this.#sendNext();
  }

  #sendNext(): void {
    const flow = this.#nextFlow();
    this.#isBusy = flow !== null;
    if (flow === null) return;
    const segment = flow.takeSegment();
    const start = Math.max(performance.now(), this.#freeAt);
    this.#freeAt = start + ((segment.length + FRAME_OVERHEAD) * 8) / this.#bitsPerMs;
    flow.carry(segment, this.#freeAt);
    after(this.#freeAt, () => this.#sendNext());
  }

  /** Each connection's turn comes round. */
  #nextFlow(): Flow | null {
    for (let tried = 0; tried < this.flows.length; tried += 1) {
      const flow = this.flows.shift();
      if (!flow) return null;
      this.flows.push(flow);
      if (flow.canSend()) return flow;
    }
    return null;
  }
}

const links: Record<Direction, Bottleneck> = {
  down: new Bottleneck(profile.downBits),
  up: new Bottleneck(profile.upBits),
};

/** One direction of one connection. */
class Flow {
  readonly #link: Bottleneck;
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #opensAt: number;
  readonly #waiting: Buffer[] = [];
  readonly #underWay: { arrivesAt: number; segment: Buffer }[] = [];
  #waitingBytes = 0;
  #inFlight = 0;
  #window = FIRST_WINDOW;
  #isEnded = false;

  constructor(link: Bottleneck, from: Socket, to: Socket, opensAt: number) {
    this.#link = link;
    this.#from = from;
    this.#to = to;
    this.#opensAt = opensAt;
    link.flows.push(this);
    from.on('data', (data: Buffer) => this.#queue(data));
    from.on('end', () => {
      this.#isEnded = true;
      this.#finish();
    });
    after(opensAt, () => link.wake());
  }

  canSend(): boolean {
    return this.#waiting.length > 0 && this.#inFlight < this.#window && performance.now() >= this.#opensAt;
  }

  takeSegment(): Buffer {
    const segment = this.#waiting.shift() ?? Buffer.alloc(0);
    this.#waitingBytes -= segment.length;
    if (this.#waitingBytes < QUEUE_LIMIT / 2 && this.#from.isPaused()) this.#from.resume();
    return segment;
  }

  carry(segment: Buffer, sentAt: number): void {
    this.#inFlight += 1;
    const arrivesAt = sentAt + profile.roundTripMs / 2 + lossDelay();
    this.#underWay.push({ arrivesAt, segment });
    if (this.#underWay.length === 1) this.#awaitArrival();
    after(arrivesAt + profile.roundTripMs / 2, () => {
      this.#inFlight -= 1;
      if (this.#window < LARGEST_WINDOW) this.#window += 1;
      this.#link.wake();
    });
  }

  drop(): void {
    const place = this.#link.flows.indexOf(this);
    if (place >= 0) this.#link.flows.splice(place, 1);
  }

  #queue(data: Buffer): void {
    for (let start = 0; start < data.length; start += SEGMENT) {
      this.#waiting.push(data.subarray(start, start + SEGMENT));
    }
    this.#waitingBytes += data.length;
    if (this.#waitingBytes > QUEUE_LIMIT) this.#from.pause();
    this.#link.wake();
  }

  #awaitArrival(): void {
    const [next] = this.#underWay;
    if (next) after(next.arrivesAt, () => this.#deliver());
  }

  #deliver(): void {
    const now = performance.now() + 0.5;
    while (this.#underWay[0] && this.#underWay[0].arrivesAt <= now) {
      const arrived = this.#underWay.shift();
      if (arrived && !this.#to.destroyed) this.#to.write(arrived.segment);
    }
    this.#awaitArrival();
    this.#finish();
  }

  #finish(): void {
    const isEmpty = this.#waiting.length === 0 && this.#underWay.length === 0;
    if (this.#isEnded && isEmpty && !this.#to.destroyed) this.#to.end();
  }
}

const server = createServer({ noDelay: true }, (client) => {
  client.on('error', () => {});
  open.add(client);
  client.on('close', () => open.delete(client));
  client.once('data', (greeting) => {
    if (greeting[0] !== 5) return client.destroy();
    client.write(Buffer.from([5, 0]));
    client.once('data', (request) => reach(client, Buffer.from(request)));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit(0));
process.on('message', (next) => {
  mode = next as Mode;
  for (const socket of open) socket.destroy();
  process.send?.(mode);
});

function reach(client: Socket, request: Buffer): void {
  const answer = (code: number) => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
  const wanted = readAddress(request);
  if (mode === 'gone' || !wanted || !/^(127\.0\.0\.1|(.*\.)?localhost)$/.test(wanted.host)) {
    answer(4);
    client.end();
    return;
  }
  if (mode === 'stalled') {
    answer(0);
    client.resume();
    return;
  }
  client.pause();
  const upstream = connect({ host: '127.0.0.1', port: wanted.port, noDelay: true });
  upstream.once('connect', () => {
    answer(0);
    const flows = [
      new Flow(links.up, client, upstream, performance.now() + profile.roundTripMs),
      new Flow(links.down, upstream, client, 0),
    ];
    const close = () => {
      for (const flow of flows) flow.drop();
      client.destroy();
      upstream.destroy();
    };
    client.on('close', close);
    upstream.on('close', close);
    client.resume();
  });
  upstream.on('error', () => client.destroy());
}

function readAddress(request: Buffer): { host: string; port: number } | null {
  if (request[3] === 1) {
    return { host: [...request.subarray(4, 8)].join('.'), port: request.readUInt16BE(8) };
  }
  if (request[3] !== 3) return null;
  const length = request[4] ?? 0;
  return { host: request.subarray(5, 5 + length).toString(), port: request.readUInt16BE(5 + length) };
}

/** What comes after a lost segment waits for it as well: both ends are read in order. */
function lossDelay(): number {
  let delay = 0;
  while (Math.random() < (profile.loss ?? 0)) delay += Math.max(RESEND_MS, profile.roundTripMs * 1.5);
  return delay;
}

/** Timers are a millisecond coarse and may fire early: short waits spin through the event loop instead. */
function after(instant: number, work: () => void): void {
  const wait = instant - performance.now();
  if (wait > 1.5) setTimeout(() => after(instant, work), wait - 1);
  else if (wait > 0) setImmediate(() => after(instant, work));
  else setImmediate(work);
}
