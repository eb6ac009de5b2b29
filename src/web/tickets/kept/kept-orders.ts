import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orderStage } from '#web/features/order/order-stage.ts';
import { hasTickets } from '#web/features/ticket/tickets-of-order.ts';
import type { Order } from '#web/platform/api/types.ts';
import { createStore, useStore } from '#web/platform/create-store.ts';
import { openAccountData } from '#web/platform/saved-data/account-data.ts';
import { type DeviceData, openDeviceData } from '#web/platform/saved-data/device-data.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';
import { readToken } from '#web/platform/session/session.ts';
import { rememberKeptOrders } from './may-have-kept-orders.ts';

/** Boats are late, and somebody may want to see afterwards what they had. */
const AFTER_ARRIVAL_MS = 12 * 60 * 60_000;

/** Of the orders in view: a visitor's stay in this browser, a customer's under their session. */
export function keptOrder(): { meta: PersistMeta; gcTime: number } {
  const persist = readToken() === null ? 'device' : 'account';
  return { meta: { persist, keepUntil }, gcTime: Number.POSITIVE_INFINITY };
}

/** Tickets are kept until their last sailing is over, and nothing else of an order is. */
export function keepUntil(order: Order): number | null {
  if (orderStage(order) !== 'booked' || !hasTickets(order)) return null;
  return Math.max(...order.legs.map(({ arrivesAt }) => Date.parse(arrivesAt))) + AFTER_ARRIVAL_MS;
}

/** Brings what this browser kept into the client, once in a page's life; true while it is on its way. */
export function useKeptOrders(): boolean {
  const client = useQueryClient();
  useEffect(() => void openKept(client), [client]);
  return useStore(isRestoring);
}

/** Renders again when the tickets are removed from this browser. */
export function useForgetting(): void {
  useStore(timesForgotten);
}

/** Nobody who opens this browser after this finds the tickets in it. */
export async function forgetKeptOrders(client: QueryClient): Promise<void> {
  await (await openKept(client)).forget();
  rememberKeptOrders(false);
  timesForgotten.set((times) => times + 1);
}

const isRestoring = createStore(true);
const timesForgotten = createStore(0);
let kept: { client: QueryClient; opened: Promise<DeviceData> } | null = null;

function openKept(client: QueryClient): Promise<DeviceData> {
  if (kept?.client !== client) kept = { client, opened: open(client) };
  return kept.opened;
}

async function open(client: QueryClient): Promise<DeviceData> {
  const device = openDeviceData(client);
  await Promise.all([device.restored, openAccountData(client).restored]);
  isRestoring.set(false);
  return device;
}
