import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelTickets, quoteCancellation } from '#contract/orders/cancel/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { CancellationQuote, Order } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { CUSTOMER_ORDERS_KEY } from '#web/platform/query/query-keys.ts';
import type { Proof } from '../buyer-code.tsx';
import { describeChanges, describeGone } from './changes.ts';
import type { RefundCard } from './refund-destination.tsx';

export type Step =
  /** `notices`: why a choice is needed again. */
  | { name: 'choose'; notices: readonly string[] }
  /** `changes`: what has changed since the refund was last shown. */
  | { name: 'review'; quote: CancellationQuote; changes: readonly string[] }
  | { name: 'code'; quote: CancellationQuote }
  | { name: 'done'; quote: CancellationQuote };

type SendOptions = { proof: Proof | null; card: RefundCard | null };

type CancellationOptions = { order: Order; queryKey: QueryKey; initial: () => readonly string[] };

/** The steps of a cancellation, and the calls that lead from one to the next. */
export function useCancellation({ order, queryKey, initial }: CancellationOptions) {
  const client = useQueryClient();
  const requestOnce = useRequestOnce();
  const [chosen, setChosen] = useState(initial);
  const [step, setStep] = useState<Step>({ name: 'choose', notices: [] });
  const [cardId, setCardId] = useState<string | null>(null);
  const params = { id: order.id };

  async function fetchQuote(before: CancellationQuote | null): Promise<Step> {
    try {
      const quote = await request(quoteCancellation, { params, body: { ticketIds: [...chosen] } });
      return {
        name: 'review',
        quote,
        changes: before === null ? [] : describeChanges(before, quote),
      };
    } catch (error) {
      if (!hasErrorCode(error, 'version_conflict')) throw error;
      const current = await reloadOrder();
      const left = chosen.filter((id) => hasStatus(current, id, 'issued'));
      setChosen(left);
      return { name: 'choose', notices: describeGone(current, chosen) };
    }
  }

  /** A cancellation whose outcome is unknown is looked up. A repeated one has the same key, so it happens once. */
  async function send(quote: CancellationQuote, { proof, card }: SendOptions): Promise<Step> {
    const { version, refund } = quote;
    const body = {
      ticketIds: [...chosen],
      version,
      refund,
      ...(card === null ? {} : { tripCardId: card.id }),
      ...(proof === null ? {} : { proof }),
    };
    try {
      const changed = await requestOnce(cancelTickets, { params, body });
      client.setQueryData(queryKey, changed);
    } catch (error) {
      if (hasErrorCode(error, 'version_conflict')) return fetchQuote(quote);
      if (isOutcomeKnown(error)) throw error;
      const current = await reloadOrder();
      if (!chosen.every((id) => hasStatus(current, id, 'canceled'))) throw error;
    }
    // Also lists that are not on screen, because they are saved for reading offline. A restored one cannot be loaded yet.
    void client.invalidateQueries({
      queryKey: CUSTOMER_ORDERS_KEY,
      refetchType: 'all',
      predicate: ({ options }) => options.queryFn !== undefined,
    });
    return { name: 'done', quote };
  }

  async function reloadOrder(): Promise<Order> {
    await client.refetchQueries({ queryKey, exact: true });
    return client.getQueryData<Order>(queryKey) ?? order;
  }

  const quote = useAction(fetchQuote, { onDone: setStep });
  const cancel = useAction(
    (quoted: CancellationQuote) => send(quoted, { proof: null, card: findCard(quoted) }),
    {
      onDone: setStep,
      explain: explainUnknown,
    },
  );
  /** The chosen trip card, unless it can no longer get the refund. */
  function findCard({ tripCards }: CancellationQuote): RefundCard | null {
    return tripCards.find(({ id }) => id === cardId) ?? null;
  }

  return {
    step,
    setStep,
    chosen,
    setChosen,
    findCard,
    chooseCard: (card: RefundCard | null) => setCardId(card?.id ?? null),
    quote,
    cancel,
    sendWithProof: (quoted: CancellationQuote, proof: Proof) => send(quoted, { proof, card: null }),
  };
}

/** Why a cancellation failed, or that its outcome is unknown. */
export function explainUnknown(failure: Error): string {
  return isOutcomeKnown(failure)
    ? explainFailure(failure)
    : t(
        'Our answer did not arrive. Your tickets may be canceled already. Try again: they are refunded only once.',
      );
}

function hasStatus({ tickets }: Order, id: string, status: Order['tickets'][number]['status']): boolean {
  return tickets.some((ticket) => ticket.id === id && ticket.status === status);
}
