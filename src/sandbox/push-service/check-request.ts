import { createPublicKey, verify } from 'node:crypto';

const LARGEST_BODY = 4096;
const LONGEST_CLAIM_SECONDS = 24 * 3600;

export type CheckedPush = { body: Buffer; ttl: number; urgency: string; topic: string | null };

/** Why a real push service would refuse a request, with its status. */
export class RefusedPush extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Checks a request as push services do: VAPID (RFC 8292), the headers of RFC 8030, and an encrypted body.
 * @throws {RefusedPush}
 */
export async function checkRequest(
  request: Request,
  { origin, now }: { origin: string; now: Date },
): Promise<CheckedPush> {
  checkAuthorization(request.headers.get('authorization') ?? '', { origin, now });
  const ttl = request.headers.get('ttl') ?? '';
  if (!/^\d{1,10}$/.test(ttl)) throw new RefusedPush(400, 'TTL is missing.');
  if (request.headers.get('content-encoding') !== 'aes128gcm')
    throw new RefusedPush(400, 'Content-Encoding is not aes128gcm.');
  const topic = request.headers.get('topic');
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic)) throw new RefusedPush(400, 'Topic is not valid.');
  const urgency = request.headers.get('urgency') ?? 'normal';
  if (!/^(very-low|low|normal|high)$/.test(urgency)) throw new RefusedPush(400, 'Urgency is not valid.');
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length > LARGEST_BODY) throw new RefusedPush(413, 'The push is too large.');
  return { body, ttl: Number(ttl), urgency, topic };
}

function checkAuthorization(header: string, { origin, now }: { origin: string; now: Date }): void {
  const [, claimed = '', signature = '', key = ''] =
    /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]{87})$/.exec(header) ?? [];
  if (claimed === '') throw new RefusedPush(401, 'Authorization is not vapid.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(claimed),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new RefusedPush(403, 'The signature does not match.');
  const [, claims = ''] = claimed.split('.');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  const seconds = now.getTime() / 1000;
  if (aud !== origin) throw new RefusedPush(403, 'The audience is another service.');
  if (!(exp > seconds && exp <= seconds + LONGEST_CLAIM_SECONDS))
    throw new RefusedPush(403, 'The claim has expired, or is valid for too long.');
  if (!/^(mailto:|https:)/.test(String(sub))) throw new RefusedPush(403, 'The contact is missing.');
}
