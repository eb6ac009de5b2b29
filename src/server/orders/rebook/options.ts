import type {
  JourneyOptions,
  OpenChoice,
  OrderJourneys,
  OrderOptions,
} from '#contract/orders/rebook/schemas.ts';
import { type Direction, getDirection } from '#domain/orders/legs.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import type { RebookingOfferRow } from '#server/database/schema/rebooking-offers.ts';
import { inSnapshot } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import {
  type BookedJourney,
  listKeptLegs,
  listReplacedLegs,
} from '#server/sailings/offers/booked-journeys.ts';
import { createJourneyFinder, type Journey } from '#server/sailings/offers/find-journeys.ts';
import type { TimetableRecord } from '#server/sailings/queries.ts';
import { presentLeg, type Reading } from '../presenter.ts';
import type { OrderRecord } from '../queries.ts';
import {
  type Choice,
  findOpenTicketEnd,
  findTravelDays,
  listOtherJourneys,
  readChoices,
  readProtection,
  type TravelDays,
} from './choices.ts';

/** How many other journeys are shown. */
const SHOWN = 20;

/** What the party of an order may choose now. */
export async function readOptions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
  language: string,
): Promise<OrderOptions> {
  const now = clock.now();
  const { order, lines } = record;
  const active = lines.filter(({ status }) => status === 'active');
  const paid = getPaidAmounts(active, order.currency);
  const sumPaid = (isCounted: (line: (typeof lines)[number]) => boolean) =>
    active
      .filter(isCounted)
      .flatMap(({ id }) => paid.get(id) ?? [])
      .reduce((sum, amount) => sum + amount, 0);
  const { journeys, keptLegs } = await inSnapshot(db, async (tx) => {
    const { choices, journeys: all } = await readChoices(tx, { orderId: order.id, now });
    if (choices.length === 0) return { journeys: [], keptLegs: [] };
    const finder = await createJourneyFinder(tx, now);
    const presented: JourneyOptions[] = [];
    for (const choice of choices) {
      const choiceContext = { order, journeys: all, now };
      const others = await listOtherJourneys(finder, choice, choiceContext);
      const days = findTravelDays(finder, choice, choiceContext);
      const openTicketEnd = findOpenTicketEnd(finder, choice, order);
      const protection = await readProtection(tx, { offer: choice.offer, now });
      const ownKept = listKeptLegs(choice.offer, choice.booked);
      const refund = sumPaid(
        ({ leg }) => getDirection(leg) === choice.offer.direction && !ownKept.includes(leg),
      );
      presented.push(
        presentJourneyOptions(record, {
          ...{ choice, others, days, openTicketEnd, protection, refund, now, language },
        }),
      );
    }
    return {
      journeys: presented,
      keptLegs: choices.flatMap(({ offer, booked }) => listKeptLegs(offer, booked)),
    };
  });
  return {
    version: order.version,
    journeys,
    refund: sumPaid(({ leg }) => !keptLegs.includes(leg)),
    currency: order.currency,
    later_same_day: order.farePolicy.no_show === 'travel_next_same_day',
    as_of: now.toISOString(),
  };
}

/**
 * The journeys of one day that a journey of an order may take.
 * @throws {ApiError} change_not_allowed
 */
export async function readJourneys(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
  { direction, day, language }: { direction: Direction; day: string; language: string },
): Promise<OrderJourneys> {
  const now = clock.now();
  const journeys = await inSnapshot(db, async (tx) => {
    const { choices, journeys } = await readChoices(tx, { orderId: record.order.id, now });
    const choice = choices.find(({ offer }) => offer.direction === direction);
    if (!choice) throw new ApiError('change_not_allowed', { reason: 'choice_over' });
    const finder = await createJourneyFinder(tx, now);
    const others = await listOtherJourneys(finder, choice, { order: record.order, journeys, now, day });
    return others.map((journey) => presentJourney(record, { booked: choice.booked, journey, now, language }));
  });
  return { journeys, as_of: now.toISOString() };
}

/** A journey that the party of a booked one may take, as travelled. */
export function presentJourney(
  record: OrderRecord,
  { booked, journey, ...reading }: { booked: BookedJourney; journey: readonly TimetableRecord[] } & Reading,
): JourneyOptions['booked'] {
  const names = listReplacedLegs(booked, journey);
  return journey.map((sailing, index) =>
    presentLeg({ leg: names[index] ?? booked.direction, sailing }, record, reading),
  );
}

/** What the buyer of an order was offered, as long as they may answer. */
export async function readOpenChoices(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
  language: string,
): Promise<OpenChoice[]> {
  const now = clock.now();
  return inSnapshot(db, async (tx) => {
    const { choices } = await readChoices(tx, { orderId: record.order.id, now });
    const open: OpenChoice[] = [];
    for (const choice of choices) {
      const protection = await readProtection(tx, { offer: choice.offer, now });
      open.push(presentChoice(record, { choice, protection, now, language }));
    }
    return open;
  });
}

type PresentedChoice = Reading & {
  choice: Choice;
  protection: Awaited<ReturnType<typeof readProtection>>;
};

type Presented = PresentedChoice & {
  others: readonly Journey[];
  days: TravelDays | null;
  openTicketEnd: Date | null;
  refund: number;
};

function presentJourneyOptions(
  record: OrderRecord,
  { others, days, openTicketEnd, refund, ...presented }: Presented,
): JourneyOptions {
  const { choice, protection, ...reading } = presented;
  const zone = findZone(findBoats(record, choice));
  const isKept = (journey: Journey) =>
    protection !== null && journey.every(({ id }, index) => protection.journey[index]?.id === id);
  return {
    ...presentChoice(record, presented),
    others: others
      .filter((journey) => !isKept(journey))
      .slice(0, SHOWN)
      .map((journey) => presentJourney(record, { booked: choice.booked, journey, ...reading })),
    days,
    open_ticket: openTicketEnd && presentInstant(openTicketEnd, zone),
    refund,
  };
}

function presentChoice(record: OrderRecord, { choice, protection, ...reading }: PresentedChoice): OpenChoice {
  const { offer, booked } = choice;
  const { direction, reason, deadline, ifUnanswered } = offer;
  const present = (journey: readonly TimetableRecord[]) =>
    presentJourney(record, { booked, journey, ...reading });
  const boats = findBoats(record, choice);
  const zone = findZone(boats);
  return {
    direction,
    reason,
    status: getStatus(offer),
    booked: present(boats),
    protected: protection && {
      journey: present(protection.journey),
      ...presentInstant(protection.until, zone),
    },
    deadline: deadline.toISOString(),
    deadline_local: formatLocalTime(deadline.getTime(), zone),
    if_unanswered: ifUnanswered,
  };
}

/** The boats that the party has tickets for now, without a first one that departed before the choice. */
function findBoats(record: OrderRecord, { offer, booked }: Choice): TimetableRecord[] {
  const keptLegs = listKeptLegs(offer, booked);
  return record.legs
    .filter(({ leg }) => getDirection(leg) === offer.direction && !keptLegs.includes(leg))
    .map(({ sailing }) => sailing);
}

/** Of the port where the journey begins. */
function findZone([first]: readonly TimetableRecord[]): string {
  return first?.origin.timeZone ?? 'UTC';
}

function presentInstant(instant: Date, zone: string): { until: string; until_local: string } {
  return { until: instant.toISOString(), until_local: formatLocalTime(instant.getTime(), zone) };
}

function getStatus({ status, openTicketAt }: RebookingOfferRow): JourneyOptions['status'] {
  if (status === 'moved') return 'moved';
  return openTicketAt === null ? 'open' : 'open_ticket';
}
