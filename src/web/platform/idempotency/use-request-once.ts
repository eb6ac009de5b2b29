import { useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { request } from '../api/request.ts';
import type { DataOf, InputArgs, InputOf } from '../api/request-types.ts';
import { createIdempotentWrites } from './idempotent-writes.ts';

type Repeatable = Endpoint & { idempotency: 'required' | 'optional' };

/**
 * Makes calls as `request` does, under an idempotency key. While the outcome of a call is unknown, the same call with the
 * same input repeats it, so that it takes effect once.
 */
export function useRequestOnce() {
  const [writes] = useState(() => createIdempotentWrites());
  return <E extends Repeatable>(endpoint: E, input: Omit<InputOf<E>, 'idempotencyKey'>): Promise<DataOf<E>> =>
    writes.run(JSON.stringify([endpoint.path, input]), (idempotencyKey) =>
      request(endpoint, ...([{ ...input, idempotencyKey }] as unknown as InputArgs<E>)),
    );
}
