import { formatTypedAmount, parseTypedAmount } from '#domain/format/typed-amount.ts';
import { formatList } from '#messages/intl.ts';
import { nameSettingChoice } from '#sentences/settings/names.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { camelKey } from '#web/platform/api/case-conversion.ts';
import type { SettingChange, StaffSetting, StaffSettings } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';

/** What is typed, by field. A switch holds `true` or `false`. */
export type TypedSettings = Record<string, string>;

/** The form's name of a setting. */
export function fieldOf({ path }: Pick<StaffSetting, 'path'>): string {
  return camelKey(path);
}

/** A setting's value as a field holds it. */
export function toText({ kind, value }: Pick<StaffSetting, 'kind' | 'value'>, currency: string): string {
  if (kind === 'switch') return String(value === true);
  if (value === null) return '';
  if (kind === 'amount') return formatTypedAmount(Number(value), currency, textLanguage());
  if (!Array.isArray(value)) return String(value);
  if (kind === 'paragraphs') return value.join('\n\n');
  return value.map((each) => formatTypedAmount(Number(each), currency, textLanguage())).join('; ');
}

/** All settings as their fields hold them. */
export function readTexts({ settings, currency }: StaffSettings): TypedSettings {
  return Object.fromEntries(settings.map((setting) => [fieldOf(setting), toText(setting, currency)]));
}

/** The settings whose fields hold something else than their values. */
export function listChanges({ settings, currency }: StaffSettings, typed: TypedSettings): SettingChange[] {
  return settings.flatMap((setting) => {
    const text = typed[fieldOf(setting)] ?? '';
    return text === toText(setting, currency) ? [] : [toChange(setting, text, currency)];
  });
}

/** Text that is no number or amount is sent as it is, so that the server refuses it by name. */
function toChange(
  { path, kind, canBeEmpty, language }: StaffSetting,
  text: string,
  currency: string,
): SettingChange {
  const typed = text.trim();
  if (typed === '') return { path, ...findEmptyValue({ kind, canBeEmpty, language }) };
  switch (kind) {
    case 'switch':
      return { path, value: typed === 'true' };
    case 'number':
      return { path, value: toNumber(typed) ?? typed };
    case 'amount':
      return { path, value: parseTypedAmount(typed, currency, textLanguage()) ?? typed };
    case 'amounts': {
      const amounts = typed
        .split(/;|,\s/)
        .filter((each) => each.trim() !== '')
        .map((each) => parseTypedAmount(each, currency, textLanguage()));
      return { path, value: amounts.some((amount) => amount === null) ? typed : (amounts as number[]) };
    }
    case 'paragraphs':
      return { path, value: typed.split(/\n\s*\n/).map((paragraph) => paragraph.trim()) };
    default:
      return { path, value: typed };
  }
}

/** Without a value, the one of the timetable or the default counts again. */
function findEmptyValue({
  kind,
  canBeEmpty,
  language,
}: Pick<StaffSetting, 'kind' | 'canBeEmpty' | 'language'>): Pick<SettingChange, 'value'> {
  if (language !== null) return {};
  if (kind === 'paragraphs') return { value: [] };
  return canBeEmpty ? { value: null } : {};
}

function toNumber(text: string): number | null {
  return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : null;
}

/** Where the values of `count` settings are from if staff have not set them; null if that need not be said. */
export function describeSource({ kind, source, language }: StaffSetting, count: number): string | null {
  if (language !== null) return null;
  if (source === 'feed')
    return t(
      '{count, plural, one {From the timetable, until you set it.} other {From the timetable, until you set them.}}',
      { count },
    );
  if (source === 'default' && kind !== 'switch')
    return t('{count, plural, one {Not set yet.} other {None of these is set yet.}}', { count });
  return null;
}

/** A value for people, in one line. */
export function showValue({ kind, value }: Pick<StaffSetting, 'kind' | 'value'>, currency: string): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return t('none|a value');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (kind === 'amount') return formatMoney(Number(value), currency);
  if (!Array.isArray(value)) return nameSettingChoice(t, String(value));
  if (kind === 'paragraphs') return value.join(' ¶ ');
  return formatList(
    textLanguage(),
    value.map((each) => formatMoney(Number(each), currency)),
  );
}
