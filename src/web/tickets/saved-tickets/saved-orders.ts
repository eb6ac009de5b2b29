import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { expectedArrival } from '#web/features/order/expected-times.ts';
import { listAllLegs } from '#web/features/order/journeys.ts';
import { orderStage } from '#web/features/order/order-status.ts';
import { hasTickets } from '#web/features/ticket/tickets-of-order.ts';
import type { Order, SharedTickets } from '#web/platform/api/types.ts';
import { createStore, type Store, useStore } from '#web/platform/create-store.ts';
import { openAccountData } from '#web/platform/saved-data/account-data.ts';
import { type DeviceData, openDeviceData } from '#web/platform/saved-data/device-data.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';
import { readToken } from '#web/platform/session/session.ts';
import { rememberSavedOrders } from './has-saved-orders.tsx';

/** Sailings may be late, and tickets may be wanted afterwards. */
const AFTER_ARRIVAL_MS = 12 * 60 * 60_000;

/** Options of a shown order's query: a visitor's tickets are saved in this browser, a customer's in their session. */
export function saveTickets(): { meta: PersistMeta; gcTime: number } {
  return saveInBrowser(savedUntil);
}

/** The same for tickets that another person sent. */
export function saveSharedTickets(): { meta: PersistMeta; gcTime: number } {
  return saveInBrowser(sharedSavedUntil);
}

function saveInBrowser<Data>(until: (data: Data) => number | null): { meta: PersistMeta; gcTime: number } {
  const persist = readToken() === null ? 'device' : 'account';
  return { meta: { persist, savedUntil: until }, gcTime: Number.POSITIVE_INFINITY };
}

/** Long enough for a bank's answer. The order is loaded again when it is shown. */
const UNPAID_MS = 24 * 60 * 60_000;

/**
 * Orders with tickets are saved until after their last sailing, and those being paid for a day: the tab may be closed
 * before the bank answers. Other orders are not saved.
 */
export function savedUntil(order: Order): number | null {
  if (isBeingPaid(order)) return Date.parse(order.asOf) + UNPAID_MS;
  if (orderStage(order) !== 'booked' || !hasTickets(order)) return null;
  return afterArrival(order);
}

export function isBeingPaid(order: Order): boolean {
  return ['unpaid', 'processing'].includes(orderStage(order));
}

/** The same for tickets that another person sent. */
export function sharedSavedUntil(shared: SharedTickets): number | null {
  return hasTickets(shared) ? afterArrival(shared) : null;
}

function afterArrival(order: Pick<Order, 'legs' | 'canceledLegs'>): number {
  const arrivals = listAllLegs(order).map(expectedArrival);
  return Math.max(...arrivals) + AFTER_ARRIVAL_MS;
}

/** Restores saved orders into the client, once per client; true until that is done. */
export function useRestoringOrders(): boolean {
  const client = useQueryClient();
  useEffect(() => void restoreOrders(client), [client]);
  return useStore(findState(client).isRestoring);
}

/** Renders again when the saved orders are deleted. Not for a screen that shows an order: its data is deleted with them. */
export function useDeletedOrders(): void {
  useStore(findState(useQueryClient()).deletions);
}

/** Deletes the tickets from this browser. */
export async function deleteSavedOrders(client: QueryClient): Promise<void> {
  const device = await restoreOrders(client);
  await device.forget();
  void import('#web/platform/push/push.ts').then(({ endPushes }) => endPushes()).catch(() => undefined);
  rememberSavedOrders(false);
  findState(client).deletions.set((deletions) => deletions + 1);
}

type State = { isRestoring: Store<boolean>; deletions: Store<number>; device?: Promise<DeviceData> };

const states = new WeakMap<QueryClient, State>();

function findState(client: QueryClient): State {
  const state = states.get(client) ?? { isRestoring: createStore(true), deletions: createStore(0) };
  states.set(client, state);
  return state;
}

function restoreOrders(client: QueryClient): Promise<DeviceData> {
  const state = findState(client);
  state.device ??= openOrders(client);
  return state.device;
}

async function openOrders(client: QueryClient): Promise<DeviceData> {
  const device = openDeviceData(client);
  await Promise.all([device.restored, openAccountData(client).restored]);
  findState(client).isRestoring.set(false);
  return device;
}
