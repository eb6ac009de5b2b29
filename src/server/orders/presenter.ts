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
import { countParty } from '#domain/fares/party.ts';
import { isVoid } from '#domain/orders/describe-ticket.ts';
import { findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { getDisplayStatus } from '#domain/orders/order-status.ts';
import { buildParty, formatTicketCode, parseCode, partyFormat } from '#domain/orders/ticket-code.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { getTripOutcome } from '#domain/orders/trip-outcome.ts';
import { describeAccessibility } from '#domain/sailings/accessibility.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { TicketSigner } from '../context.ts';
import { present } from '../core/present.ts';
import { describeFarePolicy } from '../documents/travel-text.ts';
import {
  getExpectedTimes,
  presentSailingTimes,
  presentStatus,
  presentStopsBetween,
} from '../sailings/presenter.ts';
import { presentAssistance } from './assistance.ts';
import type { OrderRecord } from './queries.ts';
import { isUnpaid } from './unpaid.ts';

type PaymentRow = OrderRecord['payments'][number];
type Reader = {
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

/** A row of My Orders. */
export function presentSummary(record: OrderRecord, now: Date): OrderSummary {
  const { passengers: partySize, vehicles, bicycles } = countParty(listTravelingLines(record));
  return present(OrderSummarySchema, {
    ...record.order,
    ...{ partySize, vehicles, bicycles },
    ...presentOrderStatus(record, now),
    legs: presentLegs(record, now),
    asOf: now,
  });
}

/** The order as its reader may see it. */
export function presentRecord(record: OrderRecord, now: Date, { isOwner, ticketSigner }: Reader): Order {
  const { order } = record;
  return present(OrderSchema, {
    ...order,
    ...presentOrderStatus(record, now),
    notice: getNotice(record, now),
    contact: {
      name: order.contactName,
      email: isOwner ? order.contactEmail : maskEmail(order.contactEmail),
      phone: isOwner ? order.contactPhone : maskPhone(order.contactPhone),
    },
    assistance: (isOwner && presentAssistance({ ...record, legs: listTravelled(record) })) || undefined,
    fareClass: { code: order.fareClassCode, name: order.fareClassName },
    policyText: describeFarePolicy(
      order.farePolicy,
      { currency: order.currency, language: order.locale },
      {
        legs: listTravelled(record).map(({ leg, sailing }) => ({ leg, ...sailing })),
        tickets: record.tickets,
      },
      now,
    ),
    legs: presentLegs(record, now),
    canceledLegs: presentCanceledLegs(record, now),
    lines: record.lines.map((line) => presentLine(line, order)),
    tickets: presentTickets(record, now),
    partyCodes: presentPartyCodes(record, ticketSigner),
    payments: record.payments
      .toSorted((a, b) => a.attempt - b.attempt)
      .map((payment) =>
        presentPayment(payment, isOwner ? { ...findCard(record, payment), wallet: payment.cardWallet } : {}),
      ),
    refunds: record.refunds.map((refund) =>
      present(RefundSchema, {
        ...refund,
        ...(isOwner ? findCard(record, refundedTo(record, refund)) : NO_CARD),
        trips: refund.trips?.length,
        destination: refund.tripCardId === null ? 'card' : 'trip_card',
      }),
    ),
    choiceUntil: getChoiceEnd(record, now),
    hold: presentOpenHold(record, now),
    needsProof: isOwner ? 'none' : order.customerId === null ? 'code' : 'sign_in',
    asOf: now,
  });
}

function presentLine(
  line: OrderRecord['lines'][number],
  order: OrderRecord['order'],
): Order['lines'][number] {
  return present(OrderLineSchema, {
    ...line,
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

export function presentTickets({ order, tickets }: OrderRecord, now: Date): Ticket[] {
  return tickets.map((ticket) =>
    present(TicketSchema, {
      ...ticket,
      travelerName: findTravelerName(order.travelerNames, ticket),
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

/** The trip card it went to, or the payment card it came from. */
function refundedTo({ payments }: OrderRecord, refund: OrderRecord['refunds'][number]): PaidWith {
  const { cardNetwork = null, cardLastFour = null } =
    payments.find(({ id }) => id === refund.paymentId) ?? {};
  return { tripCardId: refund.tripCardId, cardNetwork, cardLastFour };
}

/**
 * A payment as visible to anyone with the order's id; `card` for its owner. A payment whose last card was declined reads
 * "failed" although another card may still be used.
 */
export function presentPayment(
  payment: PaymentRow,
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
    failure: payment.failureCode === null ? null : presentDecline(payment.failureCode),
  });
}

/** `a•••@example.com` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}•••${email.slice(at)}`;
}

function maskPhone(phone: string): string {
  return phone === '' ? '' : `•••${phone.slice(-2)}`;
}

/** Whether the buyer can extend the hold: once, up to its latest expiry. */
export function canExtend(hold: OrderRecord['hold']): boolean {
  return hold.status === 'active' && !hold.extended && hold.expiresAt < hold.expiresAtMax;
}

/** Tells the buyer about a change of the order and what to do. */
function getNotice(record: OrderRecord, now: Date): string {
  const { needsAttention, notice } = record.order;
  const hasChoice = getChoiceEnd(record, now) !== null;
  const hasOpenTicket = [...record.openTickets.values()].some((end) => end > now);
  const possible = hasOpenTicket
    ? 'You have an open ticket: choose a sailing on this page, or get the full refund.'
    : 'You can travel on another sailing or get the full refund.';
  const next = hasChoice
    ? possible
    : 'Call us or ask at the ticket booth for another sailing or your money back.';
  if (needsAttention === 'sailing_canceled') return `We are sorry: your sailing is canceled. ${next}`;
  if (needsAttention === 'no_room') {
    return `A smaller boat runs on your sailing and may not have room for all of you. ${next}`;
  }
  if (needsAttention === 'sailing_changed') {
    const also = hasChoice ? ' You can also travel on another sailing or get the full refund.' : '';
    return `Your sailing has changed. Check the times on this page. Your tickets stay valid.${also}`;
  }
  return notice;
}

function getChoiceEnd({ choiceUntil }: OrderRecord, now: Date): Date | null {
  return choiceUntil !== null && choiceUntil > now ? choiceUntil : null;
}

function presentOpenHold({ order, hold }: OrderRecord, now: Date): Order['hold'] {
  if (!isUnpaid(order) || hold.status !== 'active' || hold.expiresAt <= now) return null;
  return present(OpenHoldSchema, { ...hold, canExtend: canExtend(hold) });
}

function presentLegs(record: OrderRecord, now: Date): Leg[] {
  return listTravelled(record).map((leg) => presentLeg(leg, record, now));
}

/** The legs that `presentLegs` leaves out because their tickets were canceled. */
function presentCanceledLegs(record: OrderRecord, now: Date): Leg[] {
  const travelled = listTravelled(record);
  const canceled = record.legs.filter(
    (each) =>
      !travelled.includes(each) &&
      record.lines.some(({ leg, status }) => leg === each.leg && status === 'canceled'),
  );
  return canceled.map((leg) => presentLeg(leg, record, now));
}

export function presentLeg(
  { leg, sailing }: OrderRecord['legs'][number],
  record: OrderRecord,
  now: Date,
): Leg {
  const hasVehicle = record.order.vehicle !== null;
  const { code, name, lat, lon, address } = sailing.origin;
  return {
    leg,
    sailing_id: sailing.id,
    status: presentStatus(sailing, now, { hasVehicle }),
    status_text: sailing.statusText,
    delay_minutes: sailing.delayMinutes,
    origin: { code, name, lat, lon, address },
    destination: { code: sailing.destination.code, name: sailing.destination.name },
    vessel_name: sailing.vessel.name,
    stops_between: presentStopsBetween(sailing),
    accessibility: describeAccessibility(sailing),
    ...presentSailingTimes(sailing, { hasVehicle }),
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
