import { timingSafeEqual } from 'node:crypto';
import type { ProviderKeys } from './context.ts';
import { ApiRefusal, unauthorized } from './errors.ts';
import { type Parameters, readText } from './parameters.ts';
import { apiVersion } from './records.ts';

/** The kind of the call's API key. Live keys are always refused, so that no real data reaches a sandbox. */
export function requireAuthority(
  keys: ProviderKeys,
  request: Request,
  parameters: Parameters,
  publishableAllowed: boolean,
): 'secret' | 'publishable' {
  const key = readKey(request) ?? readText(parameters, 'key');
  if (key === null) {
    throw unauthorized(
      'You did not provide an API key. Provide it in the Authorization header, using Bearer auth.',
    );
  }
  refuseLiveKey(key);
  if (same(key, keys.secretKey)) return 'secret';
  if (!same(key, keys.publishableKey)) {
    throw unauthorized(
      `Invalid API Key provided: ${key.slice(0, 8)}****${key.length > 16 ? key.slice(-4) : ''}`,
    );
  }
  if (!publishableAllowed) {
    throw unauthorized(
      'This API call cannot be made with a publishable API key. Please use a secret API key.',
      'secret_key_required',
    );
  }
  return 'publishable';
}

/** Refuses a key of the provider's live mode. */
export function refuseLiveKey(key: string): void {
  if (/^[a-z]+_live_/.test(key)) {
    throw unauthorized(
      'This is a sandbox. It refuses live keys; no real payment can be made here.',
      'live_key_in_sandbox',
    );
  }
}

/** The sandbox implements one API version; other clients would get unexpected responses. */
export function requireVersion(request: Request): void {
  const version = request.headers.get('stripe-version');
  if (version === null || version === apiVersion) return;
  throw new ApiRefusal(400, {
    type: 'invalid_request_error',
    message: `Invalid Stripe API version: ${version.slice(0, 40)}. This sandbox speaks ${apiVersion}.`,
  });
}

function readKey(request: Request): string | null {
  const header = request.headers.get('authorization') ?? '';
  const [scheme, value] = header.split(' ');
  if (!value) return null;
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() !== 'basic') return null;
  return Buffer.from(value, 'base64').toString('utf8').split(':')[0] ?? null;
}

function same(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
