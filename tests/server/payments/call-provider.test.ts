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

test('a call whose key is in use is repeated until it gets the other request’s answer', async () => {
  const inUse = refusal(409, 'idempotency_key_in_use');
  const call = vi.fn().mockRejectedValueOnce(inUse).mockRejectedValueOnce(inUse).mockResolvedValue('charged');
  expect(await callProvider(context, call)).toBe('charged');
  expect(logged).toEqual([]);
});

test('any other failure is not retried, and its outcome is unknown', async () => {
  const call = vi.fn().mockRejectedValue(refusal(500, 'lost'));
  await expect(callProvider(context, call)).rejects.toMatchObject({ code: 'payment_unavailable' });
  expect(call).toHaveBeenCalledTimes(1);
  expect(logged).toHaveLength(1);
});
