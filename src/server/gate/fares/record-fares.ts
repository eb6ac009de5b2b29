import { verify } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import type { GateFares } from '#contract/gate/fares/schemas.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { decideFare, readCodeCard } from '#domain/boarding/decide-fare.ts';
import { parseTripCardCode, type ScannedCard } from '#domain/trip-cards/trip-card-code.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { readPublicKey } from '#server/core/ed25519.ts';
import type { Database } from '#server/database/database.ts';
import { gateEvents } from '#server/database/schema/gate.ts';
import { ticketKeys } from '#server/database/schema/system.ts';
import { findTimetable, loadCatalogue, type TimetableRecord } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { chargeFare } from '#server/trip-cards/operator-commands.ts';
import { isUndoneInTime, undoCharge } from '#server/trip-cards/undo-charge.ts';
import { readGateFares } from './read-gate-fares.ts';

export type FareEvent = Extract<GateEvent, { type: 'fare' }>;
type FareContext = Pick<Context, 'clock' | 'vault'>;
type Batch = { events: readonly GateEvent[]; actor: StaffActor };

/**
 * Charges the fares that devices took without a connection, each once and whenever it arrives, and gives back those that
 * were undone in time by the same device. The people have traveled, so none is refused: what a card cannot pay is owed, and a
 * fare that the rules do not yield is kept for the office, uncharged.
 */
export async function recordFares(
  tx: Database,
  context: FareContext,
  { events, actor }: Batch,
): Promise<void> {
  const fares = events.flatMap((event) => (event.type === 'fare' ? [readFare(event)] : []));
  if (fares.length > 0) {
    const undos = await listUndos(tx, fares);
    const rules = await readRules(tx, context, fares);
    // By card, so that two batches lock the same cards in the same order.
    for (const fare of fares.toSorted((a, b) => (a.number < b.number ? -1 : 1))) {
      const { id, amount, device, occurred_at } = fare.event;
      const taken = { place: device, occurredAt: new Date(occurred_at) };
      if (undos.some((undo) => undo.undoes === id && isUndoneInTime(taken, undo))) continue;
      await chargeFare(tx, context, {
        charge: {
          ...{ deviceId: id, deviceSeq: 1, number: fare.number, amount, ...taken },
          unit: fare.code === null || fare.code.product === null ? 'money' : 'trips',
        },
        ...{ actor, isAccepted: isAccepted(fare, rules) },
      });
    }
  }
  for (const event of events) {
    if (event.type !== 'undo') continue;
    const undo = { device: event.device, occurredAt: new Date(event.occurred_at) };
    await undoCharge(tx, context, { deviceId: event.event_id, deviceSeq: 1, undo, actor });
  }
}

type ReadFare = { event: FareEvent; code: ScannedCard | null; number: string };

function readFare(event: FareEvent): ReadFare {
  const code = parseTripCardCode(event.code);
  return { event, code, number: code?.fields.number ?? '' };
}

function listUndos(tx: Database, fares: readonly ReadFare[]) {
  const { undoes, device, occurredAt } = gateEvents;
  const ids = fares.map(({ event }) => event.id);
  return tx.select({ undoes, device, occurredAt }).from(gateEvents).where(inArray(undoes, ids));
}

type Rules = { fares: GateFares; sailings: readonly TimetableRecord[]; keys: ReadonlyMap<string, string> };

async function readRules(tx: Database, { clock }: FareContext, read: readonly ReadFare[]): Promise<Rules> {
  const catalogue = await loadCatalogue(tx);
  const settings = await loadWebSettings({ db: tx });
  const timetable = await findTimetable(tx, [...new Set(read.map(({ event }) => event.sailing_id))]);
  const { language } = settings;
  // Also of keys that were revoked since: the code was genuine when it was scanned.
  const keys = await tx.select().from(ticketKeys);
  return {
    fares: await readGateFares(tx, { settings, catalogue, timetable, language, now: clock.now() }),
    sailings: timetable,
    keys: new Map(keys.map(({ keyId, publicKey }) => [keyId, publicKey])),
  };
}

/** Decides as the device did, when it did: the boat may have left and the card may be blocked since. */
function isAccepted({ event, code }: ReadFare, { fares, sailings, keys }: Rules): boolean {
  const sailing = sailings.find(({ id }) => id === event.sailing_id);
  if (!sailing || code === null || !isGenuine(code, keys.get(code.fields.keyId))) return false;
  const card = { ...readCodeCard(code, fares), is_blocked: false };
  const decision = decideFare({
    ...{ card, party: event.passengers, left: fares.offline_limits[card.unit] },
    sailing: { status: 'scheduled', departed_at: null, departs_at: sailing.departsAt.toISOString() },
    fares: fares.sailings.find((each) => each.sailing_id === sailing.id),
    now: Date.parse(event.occurred_at),
  });
  return decision.answer === 'take' && decision.amount === event.amount;
}

function isGenuine({ signed, signature }: ScannedCard, key: string | undefined): boolean {
  return key !== undefined && verify(null, signed, readPublicKey(key), signature);
}
