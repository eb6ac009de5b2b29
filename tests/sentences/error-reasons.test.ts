import { expect, test } from 'vitest';
import { presentReason } from '#sentences/errors/error-reasons.ts';
import { textsIn } from '#server/core/texts.ts';

test('a reason has a name and values for programs, and a text in the reader’s language', () => {
  const given = {
    reason: 'change_too_late',
    params: { until_minutes: 90, remedy: 'cancel' },
  } as const;
  expect(presentReason(textsIn('en'), given)).toEqual({
    ...given,
    message:
      'This trip cannot be changed any more: it is less than 1 hour 30 minutes before departure. You can still cancel tickets for a refund.',
  });
  const german = presentReason(textsIn('de'), given);
  expect(german).toMatchObject(given);
  expect(german.message).toContain('1 Stunde 30 Minuten');
});

test('what a reason is about is written in the reader’s language too', () => {
  const written = presentReason(textsIn('fr'), {
    reason: 'ticket_checked_in',
    params: (t) => ({ ticket_id: 'tkt_1', who: t('Vehicle') }),
  });
  expect(written.params).toEqual({ ticket_id: 'tkt_1', who: 'Véhicule' });
  expect(written.message).toMatch(/^Véhicule\s: déjà enregistré\./);
});

test('a reason without values has a name and its text', () => {
  expect(presentReason(textsIn('en'), { reason: 'order_canceled' })).toEqual({
    reason: 'order_canceled',
    message: 'This order is canceled already.',
  });
});
