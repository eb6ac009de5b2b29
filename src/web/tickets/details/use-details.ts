import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { loadSettings, useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying, hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { changeDraft, type Draft, draftStore, lapseDraft, useDraft } from '../draft.ts';
import { LAPSED } from '../hold.ts';
import type { PriceChangeProps } from '../price-change.tsx';
import { readRefusal } from '../sailings/refusal.ts';
import { isHoldOver, saveOrder, useChooseAgain, useProceed } from '../save-order.ts';
import { useGoToStep } from '../steps.ts';
import { isHoldLost, useTakePlacesAgain } from '../take-places-again.ts';
import { findVehicleType } from '../trip/trip.ts';
import { findDetailsProblems, findServerProblems } from './details-form.ts';
import { findTravelerNames } from './find-traveler-names.ts';

/** What the form of the details does: it checks what was typed, writes the order, and takes lost places again. */
export function useDetails(catalogue: Catalogue, today: IsoDate) {
  const draft = useDraft();
  const { terms } = useSettings();
  const goToStep = useGoToStep();
  const proceed = useProceed();
  const chooseAgain = useChooseAgain();
  const takePlacesAgain = useTakePlacesAgain(catalogue, today);
  const client = useQueryClient();
  const [attempted, setAttempted] = useState<FieldError[]>([]);
  const [refused, setRefused] = useState<FieldError[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [changed, setChanged] = useState<PriceChangeProps | null>(null);
  const [isPending, setIsPending] = useState(false);

  const own = findDraftProblems(catalogue, draft, terms);

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
    const { contact } = draftStore.get();
    try {
      const order = await saveOrder(draftStore.get()).catch(saveAgain);
      if (order !== null) proceed(order, contact);
    } catch (error) {
      refuse(error);
    } finally {
      setIsPending(false);
    }
  }

  /** @returns null when the customer has to see a new price first */
  async function saveAgain(error: unknown): Promise<Order | null> {
    if (draftStore.get().orderId !== null || !isHoldLost(error)) throw error;
    const isSamePrice = await takeLostPlaces();
    return isSamePrice ? saveOrder(draftStore.get()) : null;
  }

  async function takeLostPlaces(): Promise<boolean> {
    const was = draftStore.get().quote?.total;
    const taken = await takePlacesAgain();
    const isSamePrice = taken.total === was;
    setChanged(isSamePrice ? null : { was: was ?? taken.total, quote: taken });
    return isSamePrice;
  }

  function refuse(error: unknown) {
    if (chooseAgain(error)) return;
    const isPriceNew = readRefusal(error).kind === 'price_changed';
    const isClosed = hasErrorCode(error, 'order_closed');
    if (isPriceNew || isClosed || isHoldOver(error)) {
      lapseDraft(isPriceNew || isClosed ? errorText(error) : LAPSED);
      void client.invalidateQueries({ queryKey: ['offer'] });
      return goToStep('sailings', { replace: true });
    }
    if (hasErrorCode(error, 'terms_outdated')) {
      changeDraft({ acceptedTerms: null });
      void loadSettings();
    }
    const problems = findServerProblems(error);
    if (problems === null) return setFailure(errorText(error));
    setAttempted(problems);
    setRefused(problems);
  }

  // Once something was found wrong, each field tells at once when it is mended.
  const problems = hasTried ? [...own, ...refused] : [];
  return {
    problems,
    attempted,
    failure,
    /** The new price of places that were taken again; the next submission accepts it. */
    changed,
    isPending,
    submit,
    takeAgain: () => void takeLostPlaces().catch(refuse),
  };
}

/** What is wrong or missing in the details of the draft. */
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
