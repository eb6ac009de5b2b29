import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';

/** An upload that failed is repeated after this time. */
const RETRY_MS = 60_000;
const TIMEOUT_MS = 10_000;

export type SettingsUploader = {
  /** Starts an upload unless the text is there, on its way, or has just failed. */
  upload(text: string): void;
  /** Waits for the upload on its way. */
  settle(): Promise<void>;
};

/** Keeps the published settings in the operator's bucket equal to the local file. Null if none is configured. */
export function createSettingsUploader(
  { config, clock, log }: Pick<Context, 'config' | 'clock' | 'log'>,
  { path }: { path: string },
): SettingsUploader | null {
  const { storageUpload } = config;
  if (storageUpload === null) return null;
  const { bucketUrl, ...credentials } = storageUpload;
  const url = bucketUrl.replace(/\/$/, '') + path;
  const bucket = new AwsClient({ ...credentials, service: 's3', retries: 0 });
  let uploaded = '';
  let retryAt = 0;
  let running: Promise<void> | null = null;

  async function put(text: string): Promise<void> {
    const response = await bucket.fetch(url, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        // Browsers and the CDN ask each time whether it has changed.
        'cache-control': 'no-cache',
        // Without it the signature would not cover the body.
        'x-amz-content-sha256': createHash('sha256').update(text).digest('hex'),
      },
      body: text,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      aws: { allHeaders: true },
    });
    const answer = await response.text();
    if (!response.ok) {
      const [, reason = ''] = /<Code>(\w+)<\/Code>/.exec(answer) ?? [];
      throw Object.assign(new Error('Upload refused.'), {
        code: `status ${response.status} ${reason}`.trim(),
      });
    }
    uploaded = text;
    log.info('settings uploaded');
  }

  return {
    upload(text) {
      const now = clock.now().getTime();
      if (text === uploaded || running !== null || now < retryAt) return;
      running = put(text)
        .catch((error: unknown) => {
          retryAt = now + RETRY_MS;
          log.error('settings not uploaded', describeError(error));
        })
        .finally(() => {
          running = null;
        });
    },
    async settle() {
      await running;
    },
  };
}
