import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { ContactSchema, PlateSchema, TravelerNamesSchema } from '#contract/orders/buy/schemas.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { labelTravelers, type NameValues, nameField } from '#web/features/order/traveler-names/travelers.ts';
import {
  checkDetails,
  type DetailsValues,
  readValues,
  saveValues,
} from '#web/features/passenger-list/details-values.ts';
import { sendDetails } from '#web/features/passenger-list/send-details.ts';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying, hasAcceptedTerms } from '#web/platform/settings/terms.ts';
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
import { saveOrder, useProceed } from '../save-order.ts';
import type { StepProps } from '../steps.ts';
import { findVehicleType } from '../trip/trip-search.ts';

/** The details in the draft, by the wire's field names. */
type Values = NameValues &
  DetailsValues & {
    'contact.name': string;
    'contact.email': string;
    'contact.phone': string;
    plate: string;
    isRental: boolean;
    termsVersion: string | null;
  };

export type DetailsForm = ReturnType<typeof useDetailsForm>['form'];

/** The details form: validates it, saves the order, and holds lost places again. */
export function useDetailsForm(trip: StepProps) {
  const purchase = usePurchase();
  const draft = useDraft();
  const { terms } = useSettings();
  const proceed = useProceed();
  const chooseAgain = useChooseAgain();
  const returnToSailings = useReturnToSailings();
  const holdAgain = useHoldAgain(trip);
  const client = useQueryClient();
  const [changed, setChanged] = useState<PriceChangeProps | null>(null);

  const form = useForm<Values, Order | null>({
    initial: () => toValues(draft),
    external: {
      values: toValues(draft),
      change: (part) =>
        purchase.change(toDraft(Object.assign(toValues(purchase.get()), part), purchase.get())),
    },
    check: (values) => checkAll(values, trip.catalogue, draft, terms),
    send: async (values) => {
      const order = await saveOrder(purchase).catch(saveAgain);
      if (order !== null) await saveDetails(order.id, values);
      return order;
    },
    onDone: (order, values) => {
      if (order !== null) proceed(order, toDraft(values, draft).contact);
    },
    byCode: { plate_required: 'plate', terms_outdated: 'termsVersion' },
    onFailed: handleFailure,
  });
  const heldAgain = useAction(holdAtSamePrice, { onFailed: handleFailure });

  /** Also of an order that was saved before, because the customer may have corrected them. */
  async function saveDetails(orderId: string, values: Values): Promise<void> {
    const indexes = listAskedTravelers(draft);
    if (indexes.length === 0) return;
    await sendDetails(orderId, { values, indexes, buyerSecret: purchase.get().buyerSecret });
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

  function handleFailure(error: Error): Problems<keyof Values> | undefined {
    if (chooseAgain(error)) return {};
    const isPriceNew = readRefusal(error).kind === 'price_changed';
    const isClosed = hasErrorCode(error, 'order_closed');
    if (isPriceNew || isClosed || isHoldOver(error)) {
      void client.invalidateQueries({ queryKey: ['offer'] });
      returnToSailings(isPriceNew || isClosed ? errorText(error) : t(HOLD_EXPIRED));
      return {};
    }
    if (hasErrorCode(error, 'terms_outdated')) {
      purchase.change({ acceptedTerms: null });
      void loadSettings();
    }
    return undefined;
  }

  return {
    form,
    failure: form.problem ?? heldAgain.problem,
    /** The new price of places that were held again. The next submission accepts it. */
    changed,
    holdLostPlaces: () => heldAgain.run(),
  };
}

export function hasCompleteDetails(catalogue: Catalogue, draft: Draft, terms: WebSettings['terms']): boolean {
  const problems = checkAll(toValues(draft), catalogue, draft, terms);
  return Object.keys(problems).length === 0;
}

/** The places of the travelers of whom the law asks more; empty on most routes. */
function listAskedTravelers({ quote }: Draft): number[] {
  return quote?.needsPassengerList ? labelTravelers(quote.lines).map(({ index }) => index) : [];
}

function checkAll(values: Values, catalogue: Catalogue, draft: Draft, terms: WebSettings['terms']) {
  return {
    ...checkContact(values, needsPlate(catalogue, draft), terms),
    ...checkDetails(values, listAskedTravelers(draft)),
  };
}

/** Null if there is no vehicle. */
export function needsPlate(catalogue: Catalogue, { trip }: Draft): boolean | null {
  const type = trip === null ? null : findVehicleType(catalogue, trip);
  return type === null ? null : type.plateRequired;
}

/** By the contract's schemas, so that the server does not refuse what passes here. */
function checkContact(
  values: Values,
  isPlateNeeded: boolean | null,
  terms: WebSettings['terms'],
): Problems<keyof Values> {
  const problems: Problems<keyof Values> = {};
  for (const { path } of ContactSchema.safeParse(toContact(values)).error?.issues ?? []) {
    const field = path[0] as keyof Draft['contact'];
    problems[`contact.${field}`] = MESSAGES[field];
  }
  const hasPlate = isPlateNeeded || (isPlateNeeded !== null && values.plate.trim() !== '');
  if (hasPlate && !values.isRental && !PlateSchema.safeParse(values.plate).success) {
    problems.plate = t('Enter the license plate, like {example}.', { example: '5KJH 220' });
  }
  const names = Object.keys(values).filter((field) => field.startsWith('travelerNames.'));
  const parsed = TravelerNamesSchema.safeParse(names.map((field) => values[field as keyof NameValues]));
  for (const { path, code } of parsed.error?.issues ?? []) {
    const field = nameField(Number(path[0]));
    if (code === 'too_big')
      problems[field] = t('Use a shorter name, with at most {count} characters.', {
        count: PERSON_NAME_LENGTH,
      });
    else problems[field] ??= t('Type this name again. It contains a hidden character.');
  }
  if (!acceptsTermsByPaying(terms) && !hasAcceptedTerms(terms, values.termsVersion)) {
    problems.termsVersion = MESSAGES.terms;
  }
  return problems;
}

function toValues(draft: Draft): Values {
  const { contact, plate, isRental, quote, travelerNames, travelerDetails, acceptedTerms } = draft;
  const travelers = labelTravelers(quote?.lines ?? []);
  return {
    'contact.name': contact.name,
    'contact.email': contact.email,
    'contact.phone': contact.phone,
    plate,
    isRental,
    ...Object.fromEntries(travelers.map(({ key, index }) => [nameField(index), travelerNames[key] ?? ''])),
    ...(quote?.needsPassengerList ? readValues(travelers, travelerDetails) : {}),
    termsVersion: acceptedTerms,
  };
}

function toDraft(values: Values, { quote, travelerNames }: Draft) {
  const travelers = labelTravelers(quote?.lines ?? []);
  const typed = travelers.flatMap(({ key }, index) => {
    const name = values[nameField(index)] ?? '';
    return name === (travelerNames[key] ?? '') ? [] : [[key, name]];
  });
  return {
    contact: toContact(values),
    plate: values.plate,
    isRental: values.isRental,
    travelerNames: { ...travelerNames, ...Object.fromEntries(typed) },
    ...(quote?.needsPassengerList ? { travelerDetails: saveValues(travelers, values) } : {}),
    acceptedTerms: values.termsVersion,
  };
}

function toContact(values: Values): Draft['contact'] {
  return { name: values['contact.name'], email: values['contact.email'], phone: values['contact.phone'] };
}
