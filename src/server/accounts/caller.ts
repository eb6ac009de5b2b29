import type { HttpContext } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';
import { originOf } from '../security/password-limits.ts';

/**
 * The origin of a request: the address for limits, the device's name for mails, and a signal that the caller has
 * disconnected.
 */
export type Caller = { address: string; device: string; signal: AbortSignal };

export function getCaller(c: HttpContext): Caller {
  return { ...originOf(c), device: deviceOf(c) };
}
