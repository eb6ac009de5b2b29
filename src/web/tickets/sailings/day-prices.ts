import { message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { SailingDay } from '#web/platform/api/types.ts';

const STATES = {
  full: message('Sold out'),
  canceled: message('Canceled|a day'),
  unavailable: message('Not on sale'),
  none: message('No sailings'),
};

/** Why a day has no price; null for a day on sale. */
export function nameDayState({ state }: Pick<SailingDay, 'state'>): string | null {
  return state === 'on_sale' ? null : t(STATES[state]);
}

/** For whom the prices are. */
export function describePrices(hasVehicle: boolean, isBothWays: boolean): string {
  if (isBothWays) {
    return hasVehicle
      ? t('Prices are for your whole party and vehicle, both ways.')
      : t('Prices are for your whole party, both ways.');
  }
  return hasVehicle
    ? t('Prices are for your whole party and vehicle, one way.')
    : t('Prices are for your whole party, one way.');
}
