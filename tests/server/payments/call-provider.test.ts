import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { createLog } from '#server/core/log.ts';
import { callProvider } from '#server/payments/provider/call-provider.ts';

const logged: string[] = [];
const context = { log: createLog((line) => logged.push(line)) };

function refusal(statusCode: number, code: string) {
  const { generate } = Stripe.errors.StripeError;
  return generate({ type: 'invalid_request_error', statusCode, code, message: code });
}

test('a key that another request is using is waited for, and its answer is the answer', async () => {
  const inUse = refusal(409, 'idempotency_key_in_use');
  const call = vi.fn().mockRejectedValueOnce(inUse).mockRejectedValueOnce(inUse).mockResolvedValue('charged');
  expect(await callProvider(context, call)).toBe('charged');
  expect(logged).toEqual([]);
});

test('whatever else goes wrong is asked once, and nothing is known of it', async () => {
  const call = vi.fn().mockRejectedValue(refusal(500, 'lost'));
  await expect(callProvider(context, call)).rejects.toMatchObject({ code: 'payment_unavailable' });
  expect(call).toHaveBeenCalledTimes(1);
  expect(logged).toHaveLength(1);
});
