import {
  deletePushSubscriptions,
  getPushKey,
  getPushSubscription,
  subscribeToOrder,
  unsubscribeFromOrder,
} from '#contract/orders/push/endpoints.ts';
import { request } from '../api/request.ts';
import { isInstalled, isIosBrowser } from '../install/device.ts';
import { pageConfig } from '../page-config.ts';
import { whenRegistered } from '../worker/worker.ts';

/**
 * Whether this browser is told about an order. `needs-install`: iOS tells only apps on the home screen. `denied`: only
 * the browser's own settings can change that.
 */
export type PushState = 'unsupported' | 'needs-install' | 'denied' | 'off' | 'on';

export async function findPushState(orderId: string): Promise<PushState> {
  if (!isSupported()) return isIosBrowser() && !isInstalled() ? 'needs-install' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  const registered = await whenRegistered();
  if (registered === null) return 'unsupported';
  const subscription = await registered.registration.pushManager.getSubscription();
  if (subscription === null) return 'off';
  const params = await namePushSubscription(orderId, subscription.endpoint);
  const { isOn } = await request(getPushSubscription, { params });
  return isOn ? 'on' : 'off';
}

/** Asks for permission, so call it from a press of a button. */
export async function turnPushOn(orderId: string): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const { publicKey } = await request(getPushKey);
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  // A subscription made with an earlier key of the operator is in the way.
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint, keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await request(subscribeToOrder, {
    params: await namePushSubscription(orderId, subscription.endpoint),
    body: { endpoint: endpoint ?? '', keys: { p256dh, auth }, host: pageConfig().host },
  });
  return 'on';
}

export async function turnPushOff(orderId: string): Promise<PushState> {
  const subscription = await findSubscription();
  if (subscription !== null) {
    const params = await namePushSubscription(orderId, subscription.endpoint);
    await request(unsubscribeFromOrder, { params });
  }
  return 'off';
}

/** Has this browser told nothing more about any order, also if the server cannot be reached. */
export async function endPushes(): Promise<void> {
  const subscription = await findSubscription();
  if (subscription === null) return;
  const { endpoint } = subscription;
  await Promise.allSettled([
    subscription.unsubscribe(),
    request(deletePushSubscriptions, { body: { endpoint }, keepalive: true }),
  ]);
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The server knows a subscription by the hash of its endpoint, which must not be in an address. */
async function namePushSubscription(id: string, endpoint: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return { id, endpoint_hash: base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '') };
}

/** Missing in browsers of iOS, in other browsers' private windows, and in insecure contexts. */
function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}
