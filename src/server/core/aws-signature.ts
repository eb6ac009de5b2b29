import { createHash, createHmac } from 'node:crypto';

export type AwsCredentials = { region: string; accessKeyId: string; secretAccessKey: string };
type SignedRequest = { method: string; url: URL; headers: Record<string, string>; body: string; at: Date };

/**
 * The headers of a request to object storage with an AWS Signature, version 4, over all of them and the body:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. The URL has no query.
 */
export function signRequest(
  { region, accessKeyId, secretAccessKey }: AwsCredentials,
  { method, url, headers, body, at }: SignedRequest,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const signed: Record<string, string> = {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    host: url.host,
    'x-amz-content-sha256': sha256(body),
    'x-amz-date': time,
  };
  const names = Object.keys(signed).toSorted();
  const request = [
    method,
    url.pathname.split('/').map(encodeSegment).join('/'),
    '',
    ...names.map((name) => `${name}:${signed[name]?.trim()}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const authorization = [
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}`,
    `SignedHeaders=${names.join(';')}`,
    `Signature=${signature}`,
  ].join(',');
  return { ...signed, authorization };
}

/** Percent-encodes everything but unreserved characters, once. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(decodeURIComponent(segment)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
