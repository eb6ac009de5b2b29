import { and, asc, eq, sql } from 'drizzle-orm';
import {
  MAX_SAVED,
  type SavedParty,
  type SavedTraveler,
  SavedTravelerSchema,
  type SavedVehicle,
  SavedVehicleSchema,
  type SaveTraveler,
  type SaveVehicle,
} from '#contract/saved-party/schemas.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { present } from '../core/present.ts';
import type { Database } from '../database/database.ts';
import { savedTravelers, savedVehicles } from '../database/schema/saved-party.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { requireLockedCustomer } from '../identity/customers.ts';

/** Identifies something saved that must be the customer's own. */
type Own = { customerId: string; id: string };
type Saved = typeof savedVehicles | typeof savedTravelers;

/** What a customer saved, oldest first. */
export async function listSavedParty(db: Database, customerId: string): Promise<SavedParty> {
  const vehicles = await db
    .select()
    .from(savedVehicles)
    .where(eq(savedVehicles.customerId, customerId))
    .orderBy(asc(savedVehicles.insertedAt), asc(savedVehicles.id));
  const travelers = await db
    .select()
    .from(savedTravelers)
    .where(eq(savedTravelers.customerId, customerId))
    .orderBy(asc(savedTravelers.insertedAt), asc(savedTravelers.id));
  return { vehicles: vehicles.map(presentVehicle), travelers: travelers.map(presentTraveler) };
}

/**
 * Saves a vehicle. One with the same sizes and plate stays as it is, so that a repeated save adds nothing.
 * @throws {ApiError} too_many_saved, session_expired
 */
export async function saveVehicle(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { customerId, ...saved }: SaveVehicle & { customerId: string },
): Promise<SavedVehicle> {
  return inTransaction(db, async (tx) => {
    await requireLockedCustomer(tx, customerId);
    const [existing] = await tx
      .select()
      .from(savedVehicles)
      .where(
        and(
          eq(savedVehicles.customerId, customerId),
          sql`${savedVehicles.vehicle} = ${JSON.stringify(saved.vehicle)}::jsonb`,
          sql`${savedVehicles.plate} is not distinct from ${saved.plate}`,
        ),
      );
    if (existing) return presentVehicle(existing);
    await assertRoom(tx, savedVehicles, customerId);
    const row = { id: newId('sve'), customerId, ...saved, ...newTimestamps(clock) };
    await tx.insert(savedVehicles).values(row);
    return presentVehicle(row);
  });
}

/**
 * Saves a traveler. One with the same name and type stays as it is.
 * @throws {ApiError} too_many_saved, session_expired
 */
export async function saveTraveler(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { customerId, name, type }: SaveTraveler & { customerId: string },
): Promise<SavedTraveler> {
  return inTransaction(db, async (tx) => {
    await requireLockedCustomer(tx, customerId);
    const isSame = and(
      eq(savedTravelers.customerId, customerId),
      eq(savedTravelers.name, name),
      eq(savedTravelers.type, type),
    );
    const [existing] = await tx.select().from(savedTravelers).where(isSame);
    if (existing) return presentTraveler(existing);
    await assertRoom(tx, savedTravelers, customerId);
    const row = { id: newId('str'), customerId, name, type, ...newTimestamps(clock) };
    await tx.insert(savedTravelers).values(row);
    return presentTraveler(row);
  });
}

/** @throws {ApiError} not_found */
export async function renameVehicle(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { name, ...own }: Own & { name: string },
): Promise<SavedVehicle> {
  const [renamed] = await db
    .update(savedVehicles)
    .set({ name, updatedAt: clock.now() })
    .where(isOwn(savedVehicles, own))
    .returning();
  if (!renamed) throw notFound();
  return presentVehicle(renamed);
}

/** @throws {ApiError} not_found */
export async function renameTraveler(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { name, ...own }: Own & { name: string },
): Promise<SavedTraveler> {
  const [renamed] = await db
    .update(savedTravelers)
    .set({ name, updatedAt: clock.now() })
    .where(isOwn(savedTravelers, own))
    .returning();
  if (!renamed) throw notFound();
  return presentTraveler(renamed);
}

/** @throws {ApiError} not_found */
export async function removeSaved(db: Database, table: Saved, own: Own): Promise<{ id: string }> {
  const [removed] = await db.delete(table).where(isOwn(table, own)).returning({ id: table.id });
  if (!removed) throw notFound();
  return removed;
}

/** The caller holds the customer's lock, so that two saves cannot both take the last place. */
async function assertRoom(tx: Database, table: Saved, customerId: string): Promise<void> {
  if ((await tx.$count(table, eq(table.customerId, customerId))) >= MAX_SAVED) {
    throw new ApiError('too_many_saved');
  }
}

function isOwn(table: Saved, { customerId, id }: Own) {
  return and(eq(table.id, id), eq(table.customerId, customerId));
}

function newTimestamps(clock: Context['clock']) {
  const now = clock.now();
  return { insertedAt: now, updatedAt: now };
}

function presentVehicle(row: typeof savedVehicles.$inferSelect): SavedVehicle {
  return present(SavedVehicleSchema, row);
}

function presentTraveler(row: typeof savedTravelers.$inferSelect): SavedTraveler {
  return present(SavedTravelerSchema, row);
}
