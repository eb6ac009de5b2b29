import { UNKNOWN_DEVICE } from '#domain/device.ts';
import type { Translate } from '#messages/translate.ts';

/**
 * Names a device for the person who used it.
 * @param device as the server keeps it: "Safari on iPhone", one of the two, or "Unknown device"
 */
export function nameDevice(t: Translate, device: string): string {
  const [browser = '', system] = device.split(' on ');
  if (system !== undefined) return t('{browser} on {system}', { browser, system });
  return device === UNKNOWN_DEVICE ? t('Unknown device') : device;
}
