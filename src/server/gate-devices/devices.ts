import { and, desc, eq, exists, gt, isNull, lt, not, or } from 'drizzle-orm';
import type { AddedGateDevice, GateDevice } from '#contract/gate-devices/schemas.ts';
import { staffPages } from '#contract/paths.ts';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId, newSecret } from '#server/core/ids.ts';
import { hashToken } from '#server/core/vault.ts';
import type { Database } from '#server/database/database.ts';
import { gateDevices, staffMembers, staffSessions } from '#server/database/schema/staff.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { ENDED_SESSION_DAYS } from '#server/identity/sessions.ts';
import { daysBefore } from '#server/retention.ts';

/** How long the link for a new device works. */
const PAIRING_MS = 10 * 60_000;
/** Of a device's key. A device that was away for this long has to be paired again. */
export const DEVICE_KEY_SECONDS = 180 * 24 * 3600;

type Dependencies = Pick<Context, 'db' | 'clock'>;
export type GateDeviceRow = typeof gateDevices.$inferSelect;

/** The devices that are not revoked, newest first. */
export async function listGateDevices({ db, clock }: Dependencies): Promise<GateDevice[]> {
  const now = clock.now();
  const rows = await db
    .select()
    .from(gateDevices)
    .where(and(isNull(gateDevices.revokedAt), or(isPaired(), gt(gateDevices.pairingExpiresAt, now))))
    .orderBy(desc(gateDevices.insertedAt));
  const shifts = await db
    .select({ deviceId: staffSessions.gateDeviceId, name: staffMembers.name })
    .from(staffSessions)
    .innerJoin(staffMembers, eq(staffMembers.id, staffSessions.staffId))
    .where(and(isNull(staffSessions.revokedAt), gt(staffSessions.expiresAt, now)));
  return rows.map(({ id, name, insertedAt, pairedAt, lastSeenAt }) => ({
    ...{ id, name },
    added_at: insertedAt.toISOString(),
    paired_at: pairedAt?.toISOString() ?? null,
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    staff: shifts.findLast(({ deviceId }) => deviceId === id)?.name ?? null,
  }));
}

/** Adds a device that the link pairs, once. Of the secret in the link only a hash is stored. */
export async function addGateDevice(
  { db, clock, config }: Dependencies & Pick<Context, 'config'>,
  { name, actor }: { name: string; actor: AuditActor },
): Promise<AddedGateDevice> {
  const now = clock.now();
  const id = newId('gdv');
  const token = newSecret();
  const pairingExpiresAt = new Date(now.getTime() + PAIRING_MS);
  await inTransaction(db, async (tx) => {
    await tx
      .insert(gateDevices)
      .values({ id, name, pairingHash: hashToken(token), pairingExpiresAt, insertedAt: now });
    await record(tx, { clock }, { actor, action: 'gate_device_added', id, after: { name } });
  });
  const link = `${config.origins.staff}${staffPages.pairDevice}#token=${token}`;
  return { id, link, expires_at: pairingExpiresAt.toISOString() };
}

/**
 * Pairs the device that opened the link.
 * @returns the device and its key, of which only a hash is stored
 * @throws {ApiError} link_expired
 */
export async function pairGateDevice(
  { db, clock }: Dependencies,
  token: string,
): Promise<{ device: GateDeviceRow; key: string }> {
  const now = clock.now();
  const key = newSecret();
  const [device] = await db
    .update(gateDevices)
    .set({ keyHash: hashToken(key), pairedAt: now, lastSeenAt: now, pairingHash: null })
    .where(
      and(
        eq(gateDevices.pairingHash, hashToken(token)),
        gt(gateDevices.pairingExpiresAt, now),
        isNull(gateDevices.revokedAt),
      ),
    )
    .returning();
  if (!device) throw new ApiError('link_expired');
  return { device, key };
}

/** The device with a key that is not revoked. */
export async function findGateDevice(db: Database, key: string | null): Promise<GateDeviceRow | null> {
  if (key === null) return null;
  const [device] = await db
    .select()
    .from(gateDevices)
    .where(and(eq(gateDevices.keyHash, hashToken(key)), isNull(gateDevices.revokedAt)));
  return device ?? null;
}

/**
 * Revokes a device and ends its shifts.
 * @throws {ApiError} not_found
 */
export async function revokeGateDevice(
  { db, clock }: Dependencies,
  { id, actor }: { id: string; actor: AuditActor },
): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const [device] = await tx
      .update(gateDevices)
      .set({ revokedAt: now, keyHash: null, pairingHash: null })
      .where(and(eq(gateDevices.id, id), isNull(gateDevices.revokedAt)))
      .returning();
    if (!device) throw notFound();
    await tx
      .update(staffSessions)
      .set({ revokedAt: now })
      .where(and(eq(staffSessions.gateDeviceId, id), isNull(staffSessions.revokedAt)));
    await record(tx, { clock }, { actor, action: 'gate_device_revoked', id, before: { name: device.name } });
  });
}

/** Devices that were revoked, or never paired, stay as long as their ended sessions. */
export async function deleteOldGateDevices(db: Database, now: Date): Promise<void> {
  const end = daysBefore(now, ENDED_SESSION_DAYS);
  const isOver = or(
    lt(gateDevices.revokedAt, end),
    and(isNull(gateDevices.pairedAt), lt(gateDevices.pairingExpiresAt, end)),
  );
  const isUsed = exists(
    db
      .select({ id: staffSessions.id })
      .from(staffSessions)
      .where(eq(staffSessions.gateDeviceId, gateDevices.id)),
  );
  await db.delete(gateDevices).where(and(isOver, not(isUsed)));
}

type Recorded = {
  actor: AuditActor;
  action: 'gate_device_added' | 'gate_device_revoked';
  id: string;
  before?: { name: string };
  after?: { name: string };
};

async function record(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { actor, action, id, before = { name: '' }, after = { name: '' } }: Recorded,
): Promise<void> {
  await recordAudit(tx, context, {
    ...{ actor, action, objectKind: 'gate_device', objectId: id },
    ...{ before, after, reason: null },
  });
}

function isPaired() {
  return isNull(gateDevices.pairingHash);
}
