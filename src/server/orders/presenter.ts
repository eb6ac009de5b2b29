import type { LegName } from '#contract/checkout/legs.ts';
import type { Leg, Order, OrderSummary, PartyCode, Payment, Ticket } from '#contract/orders/schemas.ts';
import { presentDecline } from '#contract/payments/declines.ts';
import { countParty, type PartyCounts } from '#domain/fares/party.ts';
import { findWayStarts, getWay } from '#domain/orders/legs.ts';
import { getDisplayStatus } from '#domain/orders/order-status.ts';
import { buildParty, formatTicketCode, parseCode, partyFormat } from '#domain/orders/ticket-code.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { describeAccessibility } from '#domain/sailings/accessibility.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { TicketSigner } from '../context.ts';
import { describeFarePolicy } from '../documents/travel-text.ts';
import { presentSailingTimes, presentStatus, presentStopsBetween } from '../sailings/presenter.ts';
import { presentAssistance } from './assistance.ts';
import type { OrderRecord } from './queries.ts';
import { isUnpaid } from './unpaid.ts';

type PaymentRow = OrderRecord['payments'][number];
type Reader = {
  /** Whether the order's owner is signed in; anyone else reads a masked address. */
  isOwner: boolean;
  ticketSigner: TicketSigner;
};

/** The party of the first leg that is not canceled; if all are, the original party of the outward leg. */
function partyOfOrder({ lines }: OrderRecord): PartyCounts {
  const active = lines.filter(({ status }) => status === 'active');
  const [first] = active;
  return countParty(
    first
      ? active.filter(({ leg }) => leg === first.leg)
      : lines.filter(({ leg, status }) => leg === 'out' && status !== 'replaced'),
  );
}

/** A row of My Orders. */
export function presentSummary(record: OrderRecord, now: Date): OrderSummary {
  const { order } = record;
  const party = partyOfOrder(record);
  return {
    id: order.id,
    reference: order.reference,
    status: order.status,
    display_status: getStatus(record, now),
    total: order.total,
    currency: order.currency,
    party_size: party.passengers,
    contact_name: order.contactName,
    traveler_names: order.travelerNames,
    plate: order.plate,
    vehicles: party.vehicles,
    bicycles: party.bicycles,
    legs: presentLegs(record, now),
    inserted_at: order.insertedAt.toISOString(),
    version: order.version,
    as_of: now.toISOString(),
  };
}

/** The order as its reader may see it. */
export function presentRecord(record: OrderRecord, now: Date, { isOwner, ticketSigner }: Reader): Order {
  const { order } = record;
  return {
    id: order.id,
    reference: order.reference,
    status: order.status,
    payment_status: order.paymentStatus,
    display_status: getStatus(record, now),
    needs_attention: order.needsAttention,
    notice: getNotice(record, now),
    contact: {
      name: order.contactName,
      email: isOwner ? order.contactEmail : maskEmail(order.contactEmail),
      phone: isOwner ? order.contactPhone : maskPhone(order.contactPhone),
    },
    plate: order.plate,
    traveler_names: order.travelerNames,
    ...(isOwner ? presentOwnAssistance(record) : {}),
    currency: order.currency,
    subtotal: order.subtotal,
    discount: order.discount,
    tax: order.tax,
    total: order.total,
    paid: order.paid,
    refunded: order.refunded,
    promo_code: order.promoCode,
    fare_class: { code: order.fareClassCode, name: order.fareClassName },
    fare_policy: order.farePolicy,
    policy_text: describeFarePolicy(
      order.farePolicy,
      order.currency,
      listTravelled(record).map(({ leg, sailing }) => ({ leg, ...sailing })),
      now,
    ),
    legs: presentLegs(record, now),
    cancelled_legs: presentCancelledLegs(record, now),
    lines: record.lines.map((line) => presentLine(line, order)),
    tickets: presentTickets(record, now),
    party_codes: presentPartyCodes(record, ticketSigner),
    payments: record.payments.map((payment) => ({
      ...presentPayment(payment),
      ...(isOwner ? { ...presentCard(record, payment), wallet: payment.cardWallet } : {}),
    })),
    refunds: record.refunds.map((refund) => ({
      id: refund.id,
      amount: refund.amount,
      ...(refund.trips ? { trips: refund.trips.length } : {}),
      destination: refund.tripCardId === null ? 'card' : 'trip_card',
      ...(isOwner ? presentCard(record, refundedTo(record, refund)) : NO_CARD),
      reason: refund.reason,
      status: refund.status,
      inserted_at: refund.insertedAt.toISOString(),
    })),
    choice_until: getChoiceEnd(record, now)?.toISOString() ?? null,
    hold: presentOpenHold(record, now),
    confirmed_at: order.confirmedAt?.toISOString() ?? null,
    needs_proof: isOwner ? 'none' : order.customerId === null ? 'code' : 'sign_in',
    inserted_at: order.insertedAt.toISOString(),
    version: order.version,
    as_of: now.toISOString(),
  };
}

function presentLine(
  line: OrderRecord['lines'][number],
  order: OrderRecord['order'],
): Order['lines'][number] {
  const { id, leg, kind, typeCode, description, quantity, unitAmount, amount, status } = line;
  const vehicle = kind === 'vehicle' ? (line.vehicle ?? order.vehicle) : null;
  return {
    ...{ id, leg, kind, description, quantity, unit_amount: unitAmount, amount, status },
    ...(typeCode === null ? {} : { type_code: typeCode }),
    ...(vehicle === null ? {} : { vehicle }),
    ...(status === 'cancelled' ? { refund: line.refund } : {}),
  };
}

function presentOwnAssistance(record: OrderRecord): Pick<Order, 'assistance'> {
  const assistance = presentAssistance({ ...record, legs: listTravelled(record) });
  return assistance ? { assistance } : {};
}

/** The legs that are not canceled; all of them if none is left. */
function listTravelled({ lines, legs }: Pick<OrderRecord, 'lines' | 'legs'>): OrderRecord['legs'] {
  const active = legs.filter(({ leg }) => lines.some((line) => line.leg === leg && line.status === 'active'));
  return active.length > 0 ? active : legs;
}

export function presentTickets({ order, tickets }: OrderRecord, now: Date): Ticket[] {
  return tickets.map((ticket) => ({
    id: ticket.id,
    leg: ticket.leg,
    sailing_id: ticket.sailingId,
    status: ticket.status,
    title: ticket.title,
    kind: ticket.kind,
    traveler_name: findTravelerName(order.travelerNames, ticket),
    party_index: ticket.partyIndex,
    party_size: ticket.partySize,
    boarding_code: ticket.boardingCode,
    barcode: { symbology: 'qr', payload: ticket.payload, key_id: ticket.keyId },
    version: ticket.version,
    as_of: now.toISOString(),
  }));
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

type CardOfPayment = Pick<Payment, 'network' | 'last_four'>;
const NO_CARD: CardOfPayment = { network: null, last_four: null };
type PaidWith = Pick<PaymentRow, 'tripCardId' | 'cardNetwork' | 'cardLastFour'>;

function presentCard({ tripCardNumbers }: OrderRecord, paidWith: PaidWith): CardOfPayment {
  const { tripCardId, cardNetwork, cardLastFour } = paidWith;
  if (tripCardId === null) return { network: cardNetwork, last_four: cardLastFour };
  return { network: null, last_four: tripCardNumbers.get(tripCardId)?.slice(-4) ?? null };
}

/** The trip card it went to, or the payment card it came from. */
function refundedTo({ payments }: OrderRecord, refund: OrderRecord['refunds'][number]): PaidWith {
  const { cardNetwork = null, cardLastFour = null } =
    payments.find(({ id }) => id === refund.paymentId) ?? {};
  return { tripCardId: refund.tripCardId, cardNetwork, cardLastFour };
}

/**
 * A payment as visible to anyone with the order's id. A payment whose last card was declined reads "failed" although
 * another card may still be used.
 */
export function presentPayment(payment: PaymentRow): Payment {
  const isDeclined = payment.failureCode !== null && payment.status === 'created';
  return {
    id: payment.id,
    method: payment.method,
    amount: payment.amount,
    ...(payment.coverage ? { trips: payment.coverage.length } : {}),
    currency: payment.currency,
    status: isDeclined ? 'failed' : payment.status,
    failure: payment.failureCode === null ? null : presentDecline(payment.failureCode),
    ...NO_CARD,
    wallet: null,
    inserted_at: payment.insertedAt.toISOString(),
  };
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
  if (needsAttention === 'sailing_cancelled') return `We are sorry: your sailing is canceled. ${next}`;
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
  return {
    id: hold.id,
    expires_at: hold.expiresAt.toISOString(),
    expires_at_max: hold.expiresAtMax.toISOString(),
    can_extend: canExtend(hold),
  };
}

function presentLegs(record: OrderRecord, now: Date): Leg[] {
  return listTravelled(record).map((leg) => presentLeg(leg, record, now));
}

/** The legs that `presentLegs` leaves out because their tickets were canceled. */
function presentCancelledLegs(record: OrderRecord, now: Date): Leg[] {
  const travelled = listTravelled(record);
  const cancelled = record.legs.filter(
    (each) =>
      !travelled.includes(each) &&
      record.lines.some(({ leg, status }) => leg === each.leg && status === 'cancelled'),
  );
  return cancelled.map((leg) => presentLeg(leg, record, now));
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
  const end = openTickets.get(getWay(leg));
  const isBooked = legs.some((own) => own.leg === leg && own.sailing.id === sailing.id);
  if (!end || end <= now || !isBooked) return {};
  return { open_ticket_until_local: formatLocalTime(end.getTime(), findWayZone(leg, legs)) };
}

/** The zone of the port where a way begins. */
function findWayZone(leg: LegName, legs: OrderRecord['legs']): string {
  const start = findWayStarts(legs).find((each) => getWay(each.leg) === getWay(leg));
  return start?.sailing.origin.timeZone ?? 'UTC';
}

function getStatus({ order, lines, legs, tickets }: OrderRecord, now: Date): Order['display_status'] {
  return getDisplayStatus(
    {
      status: order.status,
      paymentStatus: order.paymentStatus,
      needsAttention: order.needsAttention,
      legs: listTravelled({ lines, legs }).map(({ leg, sailing }) => ({
        departsAt: sailing.departsAt.getTime(),
        arrivesAt: sailing.arrivesAt.getTime(),
        departsZone: sailing.origin.timeZone,
        ticketStatuses: tickets
          .filter((ticket) => ticket.leg === leg && ticket.status !== 'replaced')
          .map(({ status }) => status),
      })),
    },
    now.getTime(),
  );
}
