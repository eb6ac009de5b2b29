import type { SmsConfig } from '../config.ts';
import type { OutgoingSms, SmsOutcome, SmsSender } from './sms-port.ts';

const TIMEOUT_MS = 10_000;
/** The longest that providers accept. */
const LONGEST_VALIDITY_SECONDS = 36_000;

/**
 * Sends text messages by the Messages API of Twilio, which other providers speak, too: a form post with basic
 * authentication.
 * @param ask for the stand-in, which is inside this process
 */
export function createHttpSmsSender(
  { url, account, key, from }: Pick<SmsConfig, 'url' | 'account' | 'key' | 'from'>,
  ask: (request: Request) => Promise<Response> = fetch,
): SmsSender {
  const authorization = `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}`;
  return {
    async send({ to, text, validSeconds }: OutgoingSms) {
      const body = new URLSearchParams({
        To: to,
        From: from,
        Body: text,
        ValidityPeriod: String(Math.min(Math.max(1, validSeconds), LONGEST_VALIDITY_SECONDS)),
      });
      try {
        const response = await ask(
          new Request(url, {
            method: 'POST',
            headers: { authorization, accept: 'application/json' },
            body,
            // A redirect could lead elsewhere.
            redirect: 'manual',
            signal: AbortSignal.timeout(TIMEOUT_MS),
          }),
        );
        await response.body?.cancel();
        return readOutcome(response);
      } catch {
        return { retryAfterSeconds: null };
      }
    },
  };
}

/** Other refusals than of the message itself are the operator's to fix: a wrong key, or an account without money. */
function readOutcome({ status, headers }: Response): SmsOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 400 || status === 422) return 'refused';
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return { retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : null };
}
