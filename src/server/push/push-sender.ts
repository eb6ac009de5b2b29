import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import type { Context } from '../context.ts';
import { encryptPush } from './encrypt-push.ts';
import { lookUpPublic, PrivateAddressError } from './public-address.ts';
import { loadPushKey, type PushKey } from './push-key.ts';
import type { OutgoingPush, PushOutcome, PushSender, PushStandIn } from './push-port.ts';

type SenderContext = Pick<Context, 'config' | 'db' | 'vault' | 'clock'>;
type Posted = { url: URL; headers: Record<string, string>; body: Buffer };
/** `retryAfter`: the header, if there is one. */
type Answer = { status: number; retryAfter: string | null };

const TIMEOUT_MS = 10_000;
/** Push services answer with a few words. */
const LONGEST_ANSWER = 65_536;

/** @param standIn null: only real push services */
export async function openPushSender(
  context: SenderContext,
  standIn: PushStandIn | null,
): Promise<PushSender> {
  const key = await loadPushKey(context);
  const agent = new Agent({ keepAlive: true, maxSockets: 10, lookup: lookUpPublic });
  const isStandIn = (url: URL) => standIn !== null && url.origin === standIn.origin;
  const accepts = (url: URL | null) => url !== null && (isStandIn(url) || isPublicEndpoint(url));
  return {
    publicKey: key.publicKey,
    accepts: (endpoint) => accepts(URL.parse(endpoint)),
    async send(push) {
      const url = URL.parse(push.endpoint);
      if (url === null || !accepts(url)) return 'refused';
      const posted = { url, ...writeRequest(context, key, push) };
      try {
        const answer = standIn && isStandIn(url) ? await postTo(standIn, posted) : await post(agent, posted);
        return readAnswer(answer);
      } catch (error) {
        return error instanceof PrivateAddressError ? 'refused' : { retryAfterSeconds: null };
      }
    },
  };
}

/** An address in place of a name would not be looked up, and therefore not be checked. */
function isPublicEndpoint({ protocol, hostname, port, username, password }: URL): boolean {
  const isName = hostname.includes('.') && isIP(hostname) === 0 && !hostname.startsWith('[');
  return protocol === 'https:' && isName && port === '' && username === '' && password === '';
}

function writeRequest(
  { config, clock }: SenderContext,
  key: PushKey,
  { endpoint, p256dh, auth, text, ttlSeconds, urgency, topic }: OutgoingPush,
): Omit<Posted, 'url'> {
  const { origin } = new URL(endpoint);
  const body = encryptPush(text, { p256dh, auth });
  const contact = `mailto:${config.mailFrom.address}`;
  return {
    body,
    headers: {
      authorization: key.authorize({ origin, contact, now: clock.now() }),
      'content-encoding': 'aes128gcm',
      'content-length': String(body.length),
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency,
      topic,
    },
  };
}

async function postTo(standIn: PushStandIn, { url, headers, body }: Posted): Promise<Answer> {
  const response = await standIn.fetch(
    new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }),
  );
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

/** Redirects are not followed: they could lead elsewhere. */
function post(agent: Agent, { url, headers, body }: Posted): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const outgoing = request(url, { method: 'POST', headers, agent, signal }, (response) => {
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LONGEST_ANSWER) response.destroy();
    });
    response.on('error', reject);
    response.on('close', () =>
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] ?? null }),
    );
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

function readAnswer({ status, retryAfter }: Answer): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  if (status === 429 || status >= 500) {
    const seconds = Number(retryAfter ?? Number.NaN);
    return { retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : null };
  }
  return 'refused';
}
