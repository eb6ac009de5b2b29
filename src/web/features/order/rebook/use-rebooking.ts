import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { keepOpenTicket, rebookOrder } from '#contract/orders/rebook/endpoints.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { JourneyOptions, Leg, Order } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { CUSTOMER_ORDERS_KEY, ORDER_OPTIONS_KEY } from '#web/platform/query/query-keys.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { describeMove } from './choice-texts.ts';

type ChoiceOptions = { order: Order; queryKey: QueryKey; journey: JourneyOptions; version: number };
type Journey = readonly Leg[];

/** Moves a journey to other sailings. */
export function useRebooking(options: ChoiceOptions) {
  const { order, journey, version } = options;
  const requestOnce = useRequestOnce();
  const write = useChoiceWrite(options);

  function move(chosen: Journey): Promise<void> {
    const body = {
      direction: journey.direction,
      sailingIds: chosen.map(({ sailingId }) => sailingId),
      version,
    };
    return write(
      () => requestOnce(rebookOrder, { params: { id: order.id }, body }),
      (current) => travelsOn(current, journey, body.sailingIds),
    );
  }

  return useAction(move, {
    onDone: (_, chosen) => {
      notify(describeMove(chosen), { type: 'success' });
      focusMain();
    },
    explain,
  });
}

/** Keeps an open ticket instead of choosing a journey now. */
export function useOpenTicket(options: ChoiceOptions) {
  const { order, journey, version } = options;
  const requestOnce = useRequestOnce();
  const write = useChoiceWrite(options);

  function keep(): Promise<void> {
    const body = { direction: journey.direction, version };
    return write(
      () => requestOnce(keepOpenTicket, { params: { id: order.id }, body }),
      ({ legs }) =>
        legs.some(
          ({ leg, openTicketUntilLocal }) => getDirection(leg) === journey.direction && openTicketUntilLocal,
        ),
    );
  }

  return useAction(keep, {
    onDone: () => {
      notify(t('You have an open ticket. We emailed you how to use it.'), { type: 'success' });
      focusMain();
    },
    explain,
  });
}

/** Sends a choice. One whose outcome is unknown is looked up in the order; a repeated one takes effect once. */
function useChoiceWrite({ order, queryKey }: ChoiceOptions) {
  const client = useQueryClient();

  return async (send: () => Promise<Order>, hasWorked: (current: Order) => boolean): Promise<void> => {
    try {
      client.setQueryData(queryKey, await send());
    } catch (error) {
      void client.invalidateQueries({ queryKey: [...ORDER_OPTIONS_KEY, order.id] });
      await client.refetchQueries({ queryKey, exact: true });
      const current = client.getQueryData<Order>(queryKey) ?? order;
      if (isOutcomeKnown(error) || !hasWorked(current)) throw error;
    }
    void client.invalidateQueries({ queryKey: [...ORDER_OPTIONS_KEY, order.id] });
    // Lists that are not on screen too, because they are saved for reading offline.
    void client.invalidateQueries({ queryKey: CUSTOMER_ORDERS_KEY, refetchType: 'all' });
  };
}

function travelsOn({ legs }: Order, { direction }: JourneyOptions, sailingIds: readonly string[]): boolean {
  const own = legs.filter(({ leg }) => getDirection(leg) === direction).map(({ sailingId }) => sailingId);
  // The first boat may have departed before.
  return own.slice(-sailingIds.length).join() === sailingIds.join();
}

function explain(failure: Error): string {
  if (hasErrorCode(failure, 'version_conflict')) {
    return t('This order was changed while you looked at it. Nothing was moved. Please choose again.');
  }
  return isOutcomeKnown(failure)
    ? explainFailure(failure)
    : t('Our answer did not arrive. Your tickets may be moved already. Try again: they are moved only once.');
}
