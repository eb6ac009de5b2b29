import type { BrowserContext } from '@playwright/test';

export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/**
 * The browser's own push service is not reachable from tests, so subscriptions are those of the stand-in. Browsers
 * without a screen deny notifications, whatever a test grants.
 */
export async function subscribeAtStandIn(context: BrowserContext, subscription: Subscription): Promise<void> {
  await context.addInitScript((given) => {
    const made = { ...given, toJSON: () => given, unsubscribe: async () => true };
    const isOn = () => sessionStorage.getItem('test-subscribed') === 'yes';
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        sessionStorage.setItem('test-subscribed', 'yes');
        return made;
      },
      getSubscription: async () => (isOn() ? made : null),
    });
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
  }, subscription);
}
