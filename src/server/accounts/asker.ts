import type { Context } from 'hono';
import type { ApiEnv } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';

/** Where a request comes from: its address for limits, and what asked, in our own words, for the mails. */
export type Asker = { address: string; device: string };

export function askerOf(c: Context<ApiEnv>): Asker {
  return { address: c.var.remoteAddress, device: deviceOf(c) };
}
