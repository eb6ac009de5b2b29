import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { loadSettings, useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying, hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import {
  HOLD_EXPIRED,
  isHoldLost,
  isHoldOver,
  useChooseAgain,
  useHoldAgain,
  useReturnToSailings,
} from '../hold.ts';
import type { PriceChangeProps } from '../price-change.tsx';
import { type Draft, useDraft, usePurchase } from '../purchase.ts';
import { readRefusal } from '../sailings/refusal.ts';
import { findTravelerNames, saveOrder, useProceed } from '../save-order.ts';
import type { StepProps } from '../steps.ts';
import { findVehicleType } from '../trip/trip.ts';
import { findDetailsProblems, findServerProblems } from './details-form.ts';

/** The details form: validates it, saves the order, and holds lost places again. */
export function useDetails(trip: StepProps) {
  const purchase = usePurchase();
  const draft = useDraft();
  const { terms } = useSettings();
  const proceed = useProceed();
  const chooseAgain = useChooseAgain();
  const returnToSailings = useReturnToSailings();
  const holdAgain = useHoldAgain(trip);
  const client = useQueryClient();
  const [attempted, setAttempted] = useState<FieldError[]>([]);
  const [refused, setRefused] = useState<FieldError[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [changed, setChanged] = useState<PriceChangeProps | null>(null);
  const [isPending, setIsPending] = useState(false);

  const own = findDraftProblems(trip.catalogue, draft, terms);

  function submit(event: FormEvent) {
    event.preventDefault();
    setHasTried(true);
    setFailure(null);
    setAttempted(own);
    setRefused([]);
    if (own.length === 0 && !isPending) void send();
  }

  async function send() {
    setIsPending(true);
    const { contact } = purchase.get();
    try {
      const order = await saveOrder(purchase).catch(saveAgain);
      if (order !== null) proceed(order, contact);
    } catch (error) {
      handleRefusal(error);
    } finally {
      setIsPending(false);
    }
  }

  /** @returns null if the customer must see a new price first */
  async function saveAgain(error: unknown): Promise<Order | null> {
    if (purchase.get().orderId !== null || !isHoldLost(error)) throw error;
    return (await holdAtSamePrice()) ? saveOrder(purchase) : null;
  }

  async function holdAtSamePrice(): Promise<boolean> {
    const was = purchase.get().quote?.total;
    const quote = await holdAgain();
    const isSamePrice = quote.total === was;
    setChanged(isSamePrice ? null : { was: was ?? quote.total, quote });
    return isSamePrice;
  }

  function handleRefusal(error: unknown) {
    if (chooseAgain(error)) return;
    const isPriceNew = readRefusal(error).kind === 'price_changed';
    const isClosed = hasErrorCode(error, 'order_closed');
    if (isPriceNew || isClosed || isHoldOver(error)) {
      void client.invalidateQueries({ queryKey: ['offer'] });
      return returnToSailings(isPriceNew || isClosed ? errorText(error) : HOLD_EXPIRED);
    }
    if (hasErrorCode(error, 'terms_outdated')) {
      purchase.change({ acceptedTerms: null });
      void loadSettings();
    }
    const problems = findServerProblems(error);
    if (problems === null) return setFailure(errorText(error));
    setAttempted(problems);
    setRefused(problems);
  }

  return {
    // After the first attempt, each field shows at once whether it is valid.
    problems: hasTried ? [...own, ...refused] : [],
    attempted,
    failure,
    /** The new price of places that were held again. The next submission accepts it. */
    changed,
    isPending,
    submit,
    holdLostPlaces: () => void holdAtSamePrice().catch(handleRefusal),
  };
}

export function findDraftProblems(
  catalogue: Catalogue,
  draft: Draft,
  terms: WebSettings['terms'],
): FieldError[] {
  return findDetailsProblems({
    contact: draft.contact,
    plate: draft.plate,
    needsPlate: needsPlate(catalogue, draft),
    travelerNames: findTravelerNames(draft) ?? [],
    hasAccepted: acceptsTermsByPaying(terms) || hasAcceptedTerms(terms, draft.acceptedTerms),
  });
}

export function needsPlate(catalogue: Catalogue, { trip }: Draft): boolean | null {
  const type = trip === null ? null : findVehicleType(catalogue, trip);
  return type === null ? null : type.plateRequired;
}
