import { randomInt } from 'node:crypto';
import { LEGS, type LegName } from '#contract/orders/buy/legs.ts';
import type { LINE_KINDS, Vehicle } from '#contract/orders/buy/schemas.ts';
import { createReference } from '#domain/orders/reference.ts';
import { formatTicketCode, type TicketKind, ticketFormat } from '#domain/orders/ticket-code.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';

export type TicketOrder = { id: string; reference: string; plate: string | null; vehicle: Vehicle | null };
export type SoldLine = {
  id: string;
  leg: LegName;
  sailingId: string;
  kind: (typeof LINE_KINDS)[number];
  typeCode: string | null;
  quantity: number;
  /** Scheduled departure of the sailing. */
  departsAt: Date;
  /** The numbers of its tickets in the party. Absent: numbered in the order of the lines. */
  partyIndexes?: readonly number[];
  /** Of a vehicle line; absent or null: the order's. */
  vehicle?: Vehicle | null;
  plate?: string | null;
};
/** The ticket is also valid for a late sailing, or another one of the same day. */
export const VALID_MINUTES_AFTER_DEPARTURE = 24 * 60;
const TYPE_CODE_LIMIT = 16;

/**
 * Creates one signed ticket for each person, vehicle and bicycle of each leg; lines for fees and discounts give none.
 * Boarding codes are random: on a collision the unique constraint aborts the transaction and a retry creates others.
 */
export function issueTickets(
  context: Pick<Context, 'clock' | 'ticketSigner'>,
  { order, lines }: { order: TicketOrder; lines: readonly SoldLine[] },
): TicketRow[] {
  return LEGS.flatMap((leg) => {
    const items = lines.filter((line) => line.leg === leg).flatMap(toItems);
    const numbers = items.map(({ partyIndex }, index) => partyIndex ?? index + 1);
    const partySize = Math.max(items.length, ...numbers);
    return items.map(({ line, kind }, index) =>
      issueTicket(context, {
        order: { ...order, vehicle: line.vehicle ?? order.vehicle, plate: line.plate ?? order.plate },
        line,
        place: { kind, partyIndex: numbers[index] ?? 0, partySize },
      }),
    );
  });
}

type Place = { kind: TicketKind; partyIndex: number; partySize: number };

type Item = { line: SoldLine; kind: TicketKind; partyIndex: number | undefined };

function toItems(line: SoldLine): Item[] {
  const { kind } = line;
  if (kind === 'fee' || kind === 'discount') return [];
  return Array.from({ length: line.quantity }, (_, index) => ({
    line,
    kind,
    partyIndex: line.partyIndexes?.[index],
  }));
}

function issueTicket(
  { clock, ticketSigner }: Pick<Context, 'clock' | 'ticketSigner'>,
  { order, line, place }: { order: TicketOrder; line: SoldLine; place: Place },
): TicketRow {
  const id = newId('tkt');
  const departsMinute = Math.floor(line.departsAt.getTime() / 60_000);
  const signed = ticketFormat.encode({
    keyId: ticketSigner.keyId,
    ticketId: id,
    sailingId: line.sailingId,
    reference: order.reference,
    departsMinute,
    validUntilMinute: departsMinute + VALID_MINUTES_AFTER_DEPARTURE,
    ...place,
    typeCode: (line.typeCode ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, TYPE_CODE_LIMIT),
    lengthCm: place.kind === 'vehicle' ? getLength(order.vehicle) : 0,
    version: 1,
  });
  return {
    id,
    orderId: order.id,
    lineId: line.id,
    sailingId: line.sailingId,
    leg: line.leg,
    ...place,
    writtenTitle: '',
    boardingCode: createReference((below) => randomInt(below), ' '),
    status: 'issued',
    payload: formatTicketCode(signed, ticketSigner.sign(signed)),
    keyId: ticketSigner.keyId,
    version: 1,
    issuedAt: clock.now(),
    refundsCountFrom: null,
  };
}

function getLength(vehicle: Vehicle | null): number {
  return (vehicle?.length_cm ?? 0) + (vehicle?.trailer_cm ?? 0);
}
