import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { PairedGateDevice } from '#contract/gate-devices/schemas.ts';
import { hasPermission, STAFF_ROLES } from '#contract/staff/permissions.ts';
import type { Context } from '#server/context.ts';
import { hashPassword } from '#server/credentials/password-hash.ts';
import { getAccountCaller, verifyGuess } from '#server/credentials/password-limits.ts';
import { gateDevices, staffMembers } from '#server/database/schema/staff.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { HOUR_SECONDS, type Limit, subtractHits } from '#server/http/rate-limit.ts';
import { findStaff } from '#server/staff/members.ts';
import type { StartedStaffSession } from '#server/staff/sessions.ts';
import { startStaffSession } from '#server/staff/sign-in.ts';
import { findGateDevice, type GateDeviceRow } from './devices.ts';

/** Roles whose people stand at gates. */
const ROLES = STAFF_ROLES.filter((role) => hasPermission(role, 'scan_tickets'));

/** What a paired device shows before a shift. */
export async function describeGateDevice(
  { db }: Pick<Context, 'db'>,
  { name }: Pick<GateDeviceRow, 'name'>,
): Promise<PairedGateDevice> {
  const staff = await db
    .select({ id: staffMembers.id, name: staffMembers.name })
    .from(staffMembers)
    .where(
      and(
        isNotNull(staffMembers.shiftPinHash),
        isNotNull(staffMembers.acceptedAt),
        isNull(staffMembers.disabledAt),
        inArray(staffMembers.role, ROLES),
      ),
    )
    .orderBy(asc(staffMembers.name), asc(staffMembers.id));
  return { name, staff };
}

/**
 * Stores the PIN of a person, who has just confirmed their identity.
 * @throws {ApiError} weak_pin
 */
export async function setShiftPin(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { staffId, pin, client }: { staffId: string; pin: string; client: Client },
): Promise<void> {
  if (isWeakPin(pin)) throw new ApiError('weak_pin');
  const shiftPinHash = await hashPassword(pin, getAccountCaller(staffId, client));
  await db
    .update(staffMembers)
    .set({ shiftPinHash, updatedAt: clock.now() })
    .where(eq(staffMembers.id, staffId));
}

/**
 * Signs a person in for a shift. A PIN is short, so it counts only together with the device's key, five wrong ones close
 * this way for a quarter of an hour, and the session has the rights of the gate only.
 * @throws {ApiError} device_revoked, wrong_pin, rate_limited, server_busy, demo_closed
 */
export async function startShift(
  context: Context,
  { client, key, staffId, pin }: { client: Client; key: string | null; staffId: string; pin: string },
): Promise<StartedStaffSession> {
  const device = await findGateDevice(context.db, key);
  if (!device) throw new ApiError('device_revoked');
  const member = await findStaff(context.db, staffId);
  const guesses: Limit[] = [
    { name: 'shift-pin-person', who: `${device.id} ${staffId}`, limit: 5, windowSeconds: 15 * 60 },
    { name: 'shift-pin-device', who: device.id, limit: 50, windowSeconds: HOUR_SECONDS },
  ];
  const isRight = await verifyGuess(context, {
    caller: getAccountCaller(staffId, client),
    secret: pin,
    stored: member?.shiftPinHash ?? null,
    guesses,
  });
  if (!isRight) throw new ApiError('wrong_pin');
  for (const limit of guesses) await subtractHits(context, limit, 1);
  return startStaffSession(context, {
    ...{ client, staffId, gateDeviceId: device.id },
    within: async (tx, now) => {
      const isSame = now.shiftPinHash === member?.shiftPinHash && ROLES.includes(now.role);
      if (!isSame) throw new ApiError('wrong_pin');
      await tx
        .update(gateDevices)
        .set({ lastSeenAt: context.clock.now() })
        .where(eq(gateDevices.id, device.id));
      return now;
    },
  });
}

/** 111111, 123456 and 654321 are guessed first. */
function isWeakPin(pin: string): boolean {
  const steps = new Set([...pin].slice(1).map((digit, at) => Number(digit) - Number(pin[at])));
  const [step = 0] = steps;
  return steps.size === 1 && Math.abs(step) <= 1;
}
