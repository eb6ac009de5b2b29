import { inArray, sql } from 'drizzle-orm';
import { DEPARTURE_UNDO_MS } from '#contract/gate/limits.ts';
import type { GateSailing } from '#contract/gate/schemas.ts';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import { settleNoShows, takeBackPlaces } from '#server/capacity/no-shows.ts';
import type { Context } from '#server/context.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { type BoatRow, lockBoat, lockOrders } from './boats.ts';
import { auditCount, countDeparture } from './people-aboard.ts';
import { leaveBehind, takeBackQueue } from './queue/leave-behind.ts';
import { readBoat } from './read-boat.ts';

export type BoardingChange = 'close' | 'reopen' | 'depart';
const ACTIONS = {
  close: 'check_in_closed',
  reopen: 'check_in_reopened',
  depart: 'departed',
} as const satisfies Record<BoardingChange, string>;
type Input = { sailingId: string; change: BoardingChange; actor: AuditActor; language: string };

/**
 * Closes check-in for a boat, opens it again, or records its departure. Closing frees the places of those who did not
 * come, if that is known; opening takes back those that were not sold meanwhile. A departure leaves the queue behind, fixes
 * the number of people aboard and sends it to the master. Repeating a change does nothing.
 * @throws {ApiError} `not_found`; `sailing_not_boarding` for a boat that does not run, or has departed
 */
export async function changeBoarding(
  { db, clock, jobs }: Pick<Context, 'db' | 'clock' | 'jobs'>,
  { sailingId, change, actor, language }: Input,
): Promise<{ sailings: GateSailing[]; as_of: string }> {
  const now = clock.now();
  const boat = await inTransaction(db, async (tx) => {
    const rows = await lockBoat(tx, sailingId);
    const [first] = rows;
    if (first === undefined) throw notFound();
    assertBoards(rows, { change, now });
    const ids = rows.map(({ id }) => id);
    const fields = {
      close: { checkInClosedAt: first.checkInClosedAt ?? now },
      reopen: { checkInClosedAt: null, departedAt: null },
      depart: { checkInClosedAt: first.checkInClosedAt ?? now, departedAt: first.departedAt ?? now },
    }[change];
    await tx
      .update(sailings)
      .set({ ...fields, version: sql`${sailings.version} + 1`, updatedAt: now })
      .where(inArray(sailings.id, ids));
    await lockOrders(tx, { sailingIds: ids });
    await (change === 'reopen' ? takeBackPlaces : settleNoShows)(tx, ids);
    if (change === 'reopen') await takeBackQueue(tx, { sailingIds: ids, now });
    const leftBehind = change === 'depart' ? await leaveBehind(tx, { sailingIds: ids, now }) : 0;
    const isDeparture = change === 'depart' && first.departedAt === null;
    const counted = isDeparture ? auditCount(await countDeparture(tx, ids, now)) : {};
    await recordAudit(
      tx,
      { clock },
      {
        actor,
        action: ACTIONS[change],
        objectKind: 'sailing',
        objectId: sailingId,
        reason: null,
        before: describe(first),
        after: {
          ...describe({ ...first, ...fields }),
          ...(leftBehind > 0 ? { left_behind: leftBehind } : {}),
          ...counted,
        },
      },
    );
    return readBoat(tx, sailingId, language);
  });
  if (change === 'depart') wakeMailWorker(jobs);
  return { sailings: boat, as_of: now.toISOString() };
}

function describe({ checkInClosedAt, departedAt }: Pick<BoatRow, 'checkInClosedAt' | 'departedAt'>) {
  return {
    check_in_closed_at: checkInClosedAt?.toISOString() ?? null,
    departed_at: departedAt?.toISOString() ?? null,
  };
}

function assertBoards(
  boat: readonly BoatRow[],
  { change, now }: { change: BoardingChange; now: Date },
): void {
  const runs = boat.some(({ status }) => status === 'scheduled');
  const departedAt = boat[0]?.departedAt ?? null;
  const mayReopen = departedAt === null || now.getTime() - departedAt.getTime() <= DEPARTURE_UNDO_MS;
  if (!runs || (change === 'reopen' && !mayReopen)) throw new ApiError('sailing_not_boarding');
}
