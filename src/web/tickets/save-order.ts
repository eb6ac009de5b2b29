import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { changeOrder, createOrder } from '#contract/orders/endpoints.ts';
import { textLocale } from '#domain/text-locale.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { currentSettings, loadSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying } from '#web/platform/settings/terms.ts';
import { findTravelerNames } from './details/find-traveler-names.ts';
import { changeDraft, type Draft, draftStore, lapseDraft } from './draft.ts';
import { useFinish } from './finish.ts';
import { readRefusal } from './sailings/refusal.ts';
import { useGoToStep } from './steps.ts';
import { writes } from './writes.ts';

/** Orders the held places with the details as typed, or changes the details of the order there is. */
export async function saveOrder({ hold, quote, orderId, contact, ...draft }: Draft): Promise<Order> {
  const plate = draft.plate.trim() || null;
  const travelerNames = findTravelerNames({ ...draft, quote });
  const names = travelerNames === undefined ? {} : { travelerNames };
  if (orderId !== null) {
    return request(changeOrder, {
      params: { id: orderId },
      body: { contact, ...(plate === null ? {} : { plate }), ...names },
    });
  }
  if (hold === null || quote === null) throw new Error('The details were sent without places.');
  const order = () => {
    const { terms, language } = currentSettings();
    const details = { contact, plate, ...names, termsVersion: terms.version, locale: textLocale(language) };
    return writes.run(`order:${hold.id}`, (key) =>
      request(createOrder, { body: { holdId: hold.id, quoteId: quote.id, ...details }, idempotencyKey: key }),
    );
  };
  return order().catch(async (error: unknown) => {
    const isOutdated = hasErrorCode(error, 'terms_outdated');
    if (!isOutdated || !acceptsTermsByPaying(currentSettings().terms)) throw error;
    // They are accepted by the button that pays, which is still to come.
    await loadSettings();
    return order();
  });
}

/** Goes on with a saved order: to its payment, or to its tickets if it costs nothing. */
export function useProceed(options: { replace?: boolean } = {}) {
  const { replace = false } = options;
  const client = useQueryClient();
  const finish = useFinish();
  const goToStep = useGoToStep();
  return useCallback(
    (order: Order, orderContact: Draft['contact']) => {
      client.setQueryData(orderQuery(order.id).queryKey, order);
      const isOther = draftStore.get().orderId !== order.id;
      changeDraft({
        orderId: order.id,
        orderContact,
        ...(isOther ? { paymentId: null, idempotencyKeys: {} } : {}),
      });
      if (order.status === 'confirmed' || order.total === 0) finish(order.id);
      else goToStep('pay', { replace });
    },
    [client, finish, goToStep, replace],
  );
}

/** Leads back to the sailings, which say why, if the places cannot be had as they were chosen. */
export function useChooseAgain(): (error: unknown) => boolean {
  const client = useQueryClient();
  const goToStep = useGoToStep();
  return useCallback(
    (error) => {
      const refusal = readRefusal(error);
      if (refusal.kind !== 'sold_out' && refusal.kind !== 'sailing_gone') return false;
      lapseDraft(null, refusal);
      void client.invalidateQueries({ queryKey: ['sailings'] });
      goToStep('sailings', { replace: true });
      return true;
    },
    [client, goToStep],
  );
}

/** Whether the places of an order that is saved are no longer held. */
export function isHoldOver(error: unknown): boolean {
  return hasErrorCode(error, 'hold_expired') || hasErrorCode(error, 'not_found');
}
