import { currentSettings } from '../settings/settings.ts';

/**
 * A number of the operator's country that is never given to anyone, for examples. The country is the region of the
 * operator's language, or the one where most people speak it.
 * @returns "none" for other countries
 */
export function findPhoneExample(): string {
  const { language } = currentSettings();
  const region = /-([A-Z]{2})\b/.exec(language)?.[1] ?? MAIN_REGIONS[language] ?? '';
  return EXAMPLES[region] ?? 'none';
}

/** Of languages without a region. */
const MAIN_REGIONS: Readonly<Record<string, string>> = { de: 'DE', en: 'US', fr: 'FR' };

const EXAMPLES: Readonly<Record<string, string>> = {
  CA: '+1 604 555 0142',
  DE: '+49 302 312 5142',
  FR: '+33 199 000 142',
  GB: '+44 207 946 0142',
  US: '+1 206 555 0142',
};
