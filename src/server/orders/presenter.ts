import type { LegName } from '#contract/orders/buy/legs.ts';
import {
  type Leg,
  OpenHoldSchema,
  type Order,
  OrderLineSchema,
  OrderSchema,
  type OrderSummary,
  OrderSummarySchema,
  type PartyCode,
  type Payment,
  PaymentSchema,
  RefundSchema,
  type Ticket,
  TicketSchema,
} from '#contract/orders/schemas.ts';
import { presentDecline } from '#contract/payments/declines.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { countParty } from '#domain/fares/party.ts';
import { findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { getDisplayStatus } from '#domain/orders/order-status.ts';
import { buildParty, formatTicketCode, parseCode, partyFormat } from '#domain/orders/ticket-code.ts';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { getTripOutcome } from '#domain/orders/trip-outcome.ts';
import { getRefundMethod } from '#domain/refunds/refund-method.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import { describeAccessibility } from '#sentences/accessibility.ts';
import { describeStatus } from '#sentences/exceptions.ts';
import { describeLine, titleTicket } from '#sentences/order-lines.ts';
import { ORDER_NOTICE_TEXTS } from '#sentences/order-notices.ts';
import { textsIn } from '#server/core/texts.ts';
import type { TicketSigner } from '../context.ts';
import { present } from '../core/present.ts';
import { translateSailing } from '../database/translate-sailing.ts';
import { describeFarePolicy } from '../documents/travel-text.ts';
import { presentSailingTimes, presentStatus, presentStopsBetween } from '../sailings/presenter.ts';
import { presentAssistance } from './assistance.ts';
import type { OrderRecord } from './queries.ts';
import { isUnpaid } from './unpaid.ts';

type PaymentRow = OrderRecord['payments'][number];
/** When and in which language an order is read. */
export type Reading = { now: Date; language: string };
type Reader = Reading & {
  /** Whether the order's owner is signed in; anyone else reads a masked address. */
  isOwner: boolean;
  ticketSigner: TicketSigner;
};

/** The lines of the first leg that is not canceled; if all are, the original lines of the outward leg. */
function listTravelingLines({ lines }: OrderRecord): OrderRecord['lines'] {
  const active = lines.filter(({ status }) => status === 'active');
  const [first] = active;
  return first
    ? active.filter(({ leg }) => leg === first.leg)
    : lines.filter(({ leg, status }) => leg === 'out' && status !== 'replaced');
}

function presentParty(record: OrderRecord): Order['party'] {
  const lines = listTravelingLines(record);
  const passengers = lines.flatMap(({ kind, typeCode, quantity }) =>
    kind === 'passenger' && typeCode !== null ? [{ type: typeCode, count: quantity }] : [],
  );
  if (passengers.length === 0) return undefined;
  const vehicle = lines.find(({ kind }) => kind === 'vehicle');
  return {
    passengers,
    vehicle: vehicle ? (vehicle.vehicle ?? record.order.vehicle) : null,
    bicycles: countParty(lines).bicycles,
  };
}

/** A row of My Orders. */
export function presentSummary(record: OrderRecord, reading: Reading): OrderSummary {
  const { now } = reading;
  const { passengers: partySize, vehicles, bicycles } = countParty(listTravelingLines(record));
  return present(OrderSummarySchema, {
    ...record.order,
    ...{ partySize, vehicles, bicycles },
    ...presentOrderStatus(record, now),
    party: presentParty(record),
    legs: presentLegs(record, reading),
    asOf: now,
  });
}

/** The order as its reader may see it. */
export function presentRecord(record: OrderRecord, { isOwner, ticketSigner, ...reading }: Reader): Order {
  const { order, names } = record;
  const { now, language } = reading;
  return present(OrderSchema, {
    ...order,
    ...presentOrderStatus(record, now),
    notice: getNotice(record, reading),
    contact: isOwner ? presentContact(order) : maskContact(order),
    assistance:
      (isOwner && presentAssistance({ ...record, legs: listTravelled(record) }, language)) || undefined,
    fareClass: { code: order.fareClassCode, name: nameFareClass(record, language) },
    policyText: describeFarePolicy(
      order.farePolicy,
      { currency: order.currency, language },
      {
        legs: listTravelled(record).map(({ leg, sailing }) => ({ leg, ...sailing })),
        tickets: record.tickets,
      },
      now,
    ),
    party: presentParty(record),
    legs: presentLegs(record, reading),
    canceledLegs: presentCanceledLegs(record, reading),
    lines: record.lines.map((line) => presentLine(names.translateLine(line, language), order, language)),
    tickets: presentTickets(record, reading),
    partyCodes: presentPartyCodes(record, ticketSigner),
    payments: record.payments
      .toSorted((a, b) => a.attempt - b.attempt)
      .map((payment) =>
        presentPayment(
          payment,
          language,
          isOwner ? { ...findCard(record, payment), wallet: payment.cardWallet } : {},
        ),
      ),
    refunds: record.refunds.map((refund) =>
      present(RefundSchema, {
        ...refund,
        ...(isOwner ? findCard(record, refundedTo(record, refund)) : NO_CARD),
        trips: refund.trips?.length,
        destination: getRefundMethod(refund, findPayment(record, refund)),
      }),
    ),
    choiceUntil: getEndAhead(record.choiceUntil, now),
    changeToPayUntil: getEndAhead(record.changeToPayUntil, now),
    hold: presentOpenHold(record, now),
    needsProof: isOwner ? 'none' : order.customerId === null ? 'code' : 'sign_in',
    asOf: now,
  });
}

type ContactColumns = Pick<OrderRecord['order'], 'contactName' | 'contactEmail' | 'contactPhone'>;

export function presentContact({
  contactName,
  contactEmail,
  contactPhone,
}: ContactColumns): Order['contact'] {
  return { name: contactName, email: contactEmail, phone: contactPhone };
}

function maskContact({ contactName, contactEmail, contactPhone }: ContactColumns): Order['contact'] {
  return { name: contactName, email: maskEmail(contactEmail), phone: maskPhone(contactPhone) };
}

function nameFareClass(
  { order: { fareClassCode: code, fareClassName: name }, names }: OrderRecord,
  language: string,
): string {
  return names.translateFareClass({ code, name }, language);
}

function presentLine(
  line: OrderRecord['lines'][number],
  order: OrderRecord['order'],
  language: string,
): Order['lines'][number] {
  return present(OrderLineSchema, {
    ...line,
    description: describeLine(textsIn(language), line),
    isDriver: isIncludedDriver(line) || undefined,
    typeCode: line.typeCode ?? undefined,
    vehicle: line.kind === 'vehicle' ? (line.vehicle ?? order.vehicle ?? undefined) : undefined,
    refund: line.status === 'canceled' ? line.refund : undefined,
  });
}

/** The legs that are not canceled; all of them if none is left. */
function listTravelled({ lines, legs }: Pick<OrderRecord, 'lines' | 'legs'>): OrderRecord['legs'] {
  const active = legs.filter(({ leg }) => lines.some((line) => line.leg === leg && line.status === 'active'));
  return active.length > 0 ? active : legs;
}

export function presentTickets(
  { order: { plate, travelerNames }, lines: sold, tickets, names }: OrderRecord,
  { now, language }: Reading,
): Ticket[] {
  const t = textsIn(language);
  const lines = sold.map((line) => names.translateLine(line, language));
  return tickets.map((ticket) =>
    present(TicketSchema, {
      ...ticket,
      title: titleTicket(t, ticket, { lines, plate }),
      travelerName: findTravelerName(travelerNames, ticket),
      barcode: { symbology: 'qr', payload: ticket.payload, key_id: ticket.keyId },
      asOf: now,
    }),
  );
}

/** Created from the valid tickets each time an order is read, so that refunded tickets are not included. */
function presentPartyCodes(
  { order, legs, tickets }: OrderRecord,
  { keyId, sign }: TicketSigner,
): PartyCode[] {
  return legs.flatMap(({ leg }) => {
    const good = tickets.filter(
      (ticket) => ticket.leg === leg && (ticket.status === 'issued' || ticket.status === 'checked_in'),
    );
    // Reading a code takes longer than the rest of its ticket.
    if (good.length < 2) return [];
    const fields = good.flatMap(({ payload }) => {
      const parsed = parseCode(payload);
      return parsed.ok && parsed.type === 'ticket' ? [parsed.fields] : [];
    });
    const party = buildParty(fields, { keyId, version: Math.min(order.version, LAST_VERSION) });
    if (party === null) return [];
    const { passengers, vehicles, bicycles } = party;
    const signed = partyFormat.encode(party);
    const payload = formatTicketCode(signed, sign(signed));
    return [{ leg, passengers, vehicles, bicycles, barcode: { symbology: 'qr', payload, key_id: keyId } }];
  });
}

const LAST_VERSION = 0xffff;

type CardOfPayment = { network: string | null; lastFour: string | null };
const NO_CARD: CardOfPayment = { network: null, lastFour: null };
type PaidWith = Pick<PaymentRow, 'tripCardId' | 'cardNetwork' | 'cardLastFour'>;

function findCard({ tripCardNumbers }: OrderRecord, paidWith: PaidWith): CardOfPayment {
  const { tripCardId, cardNetwork, cardLastFour } = paidWith;
  if (tripCardId === null) return { network: cardNetwork, lastFour: cardLastFour };
  return { network: null, lastFour: tripCardNumbers.get(tripCardId)?.slice(-4) ?? null };
}

function findPayment({ payments }: OrderRecord, { paymentId }: OrderRecord['refunds'][number]): PaymentRow {
  const payment = payments.find(({ id }) => id === paymentId);
  if (!payment) throw new Error('A refund without its payment.');
  return payment;
}

/** The trip card it went to, or the payment card it came from. */
function refundedTo(record: OrderRecord, refund: OrderRecord['refunds'][number]): PaidWith {
  const { cardNetwork, cardLastFour } = findPayment(record, refund);
  return { tripCardId: refund.tripCardId, cardNetwork, cardLastFour };
}

/**
 * A payment as visible to anyone with the order's id; `card` for its owner. A payment whose last card was declined reads
 * "failed" although another card may still be used.
 */
export function presentPayment(
  payment: PaymentRow,
  language: string,
  card: Partial<CardOfPayment & Pick<Payment, 'wallet'>> = {},
): Payment {
  const isDeclined = payment.failureCode !== null && payment.status === 'created';
  return present(PaymentSchema, {
    ...payment,
    ...NO_CARD,
    wallet: null,
    ...card,
    trips: payment.coverage?.length,
    status: isDeclined ? 'failed' : payment.status,
    failure: payment.failureCode === null ? null : presentDecline(textsIn(language), payment.failureCode),
  });
}

/** `a•••@example.com` */
export function maskEmail(email: string): string {
  if (email === '') return '';
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}•••${email.slice(at)}`;
}

/** `•••23` */
export function maskPhone(phone: string): string {
  return phone === '' ? '' : `•••${phone.slice(-2)}`;
}

/** Whether the buyer can extend the hold: once, up to its latest expiry. */
export function canExtend(hold: OrderRecord['hold']): boolean {
  return hold.status === 'active' && !hold.extended && hold.expiresAt < hold.expiresAtMax;
}

/** Tells the buyer about a change of the order and what to do. */
function getNotice(record: OrderRecord, { now, language }: Reading): string {
  const { needsAttention, notice, writtenNotice } = record.order;
  const hasChoice = getEndAhead(record.choiceUntil, now) !== null;
  const hasOpenTicket = [...record.openTickets.values()].some((end) => end > now);
  const t = textsIn(language);
  const possible = hasOpenTicket
    ? t('You have an open ticket: choose a sailing on this page, or get the full refund.')
    : t('You can travel on another sailing or get the full refund.');
  if (notice === 'boat_canceled') return t(ORDER_NOTICE_TEXTS[notice]);
  const next = hasChoice
    ? possible
    : t('Call us or ask at the ticket booth for another sailing or your money back.');
  if (needsAttention === 'sailing_canceled') return `${t('We are sorry: your sailing is canceled.')} ${next}`;
  if (needsAttention === 'no_room') {
    return `${t('A smaller boat runs on your sailing and may not have enough room for you.')} ${next}`;
  }
  if (needsAttention === 'sailing_changed') {
    const changed = t('Your sailing has changed. Check the times on this page. Your tickets stay valid.');
    return hasChoice
      ? `${changed} ${t('You can also travel on another sailing or get the full refund.')}`
      : changed;
  }
  return writtenNotice || (notice ? t(ORDER_NOTICE_TEXTS[notice]) : '');
}

/** A deadline that is not over. */
function getEndAhead(end: Date | null, now: Date): Date | null {
  return end !== null && end > now ? end : null;
}

function presentOpenHold({ order, hold }: OrderRecord, now: Date): Order['hold'] {
  if (!isUnpaid(order) || hold.status !== 'active' || hold.expiresAt <= now) return null;
  return present(OpenHoldSchema, { ...hold, canExtend: canExtend(hold) });
}

function presentLegs(record: OrderRecord, reading: Reading): Leg[] {
  return listTravelled(record).map((leg) => presentLeg(leg, record, reading));
}

/** The legs that `presentLegs` leaves out because their tickets were canceled. */
function presentCanceledLegs(record: OrderRecord, reading: Reading): Leg[] {
  const travelled = listTravelled(record);
  const canceled = record.legs.filter(
    (each) =>
      !travelled.includes(each) &&
      record.lines.some(({ leg, status }) => leg === each.leg && status === 'canceled'),
  );
  return canceled.map((leg) => presentLeg(leg, record, reading));
}

export function presentLeg(
  { leg, sailing: stored }: OrderRecord['legs'][number],
  record: OrderRecord,
  { now, language }: Reading,
): Leg {
  const hasVehicle = record.order.vehicle !== null;
  const sailing = translateSailing(stored, language);
  const { code, name, lat, lon, address } = sailing.origin;
  return {
    leg,
    sailing_id: sailing.id,
    status: presentStatus(sailing, now, { hasVehicle }),
    status_text: describeStatus(textsIn(language), sailing),
    delay_minutes: sailing.delayMinutes,
    origin: { code, name, lat, lon, address },
    destination: { code: sailing.destination.code, name: sailing.destination.name },
    vessel_name: sailing.vessel.name,
    stops_between: presentStopsBetween(sailing),
    accessibility: describeAccessibility(textsIn(language), language, sailing),
    ...presentSailingTimes(sailing, { hasVehicle }),
    ...(sailing.route.needsPassengerList ? { needs_passenger_list: true } : {}),
    ...presentOpenTicket({ leg, sailing }, record, now),
  };
}

/** Nothing for sailings that the order has not booked, such as those it may take instead. */
function presentOpenTicket(
  { leg, sailing }: OrderRecord['legs'][number],
  { legs, openTickets }: OrderRecord,
  now: Date,
): Pick<Leg, 'open_ticket_until_local'> {
  const end = openTickets.get(getDirection(leg));
  const isBooked = legs.some((own) => own.leg === leg && own.sailing.id === sailing.id);
  if (!end || end <= now || !isBooked) return {};
  return { open_ticket_until_local: formatLocalTime(end.getTime(), findJourneyZone(leg, legs)) };
}

/** The zone of the port where a journey begins. */
function findJourneyZone(leg: LegName, legs: OrderRecord['legs']): string {
  const start = findJourneyStarts(legs).find((each) => getDirection(each.leg) === getDirection(leg));
  return start?.sailing.origin.timeZone ?? 'UTC';
}

function presentOrderStatus({ order, lines, legs, tickets }: OrderRecord, now: Date) {
  const traveled = listTravelled({ lines, legs }).map(({ leg, sailing }) => ({
    departsAt: sailing.departsAt.getTime(),
    arrivesAt: getExpectedTimes(sailing).arrivesAt,
    departsZone: sailing.origin.timeZone,
    ticketStatuses: tickets
      .filter((ticket) => ticket.leg === leg && !isVoid(ticket))
      .map(({ status }) => status),
  }));
  const { status, paymentStatus, needsAttention } = order;
  const displayStatus = getDisplayStatus(
    { status, paymentStatus, needsAttention, legs: traveled },
    now.getTime(),
  );
  if (displayStatus !== 'used') return { displayStatus };
  return {
    displayStatus,
    tripOutcome: getTripOutcome(traveled.flatMap(({ ticketStatuses }) => ticketStatuses)),
  };
}
