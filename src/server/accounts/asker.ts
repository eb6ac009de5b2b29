import type { Context } from 'hono';
import type { ApiEnv } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';
import { originOf } from '../security/password-limits.ts';

/**
 * The origin of a request: the address for limits, the device's name for mails, and a signal that the caller has
 * disconnected.
 */
export type Asker = { address: string; device: string; signal: AbortSignal };

export function askerOf(c: Context<ApiEnv>): Asker {
  return { ...originOf(c), device: deviceOf(c) };
}
