import { nameSettingChoice } from '#sentences/settings/names.ts';
import { t } from '#web/language/texts.ts';
import { camelKey } from '#web/platform/api/case-conversion.ts';
import type { SettingChange, SettingValue, StaffSetting, StaffSettings } from '#web/platform/api/types.ts';

/** What is typed, by field. A switch holds `true` or `false`. */
export type TypedSettings = Record<string, string>;

/** The form's name of a setting. */
export function fieldOf({ path }: Pick<StaffSetting, 'path'>): string {
  return camelKey(path);
}

/** A setting's value as a field holds it. */
export function toText({ kind, value }: Pick<StaffSetting, 'kind' | 'value'>): string {
  if (kind === 'switch') return String(value === true);
  if (value === null) return '';
  if (!Array.isArray(value)) return String(value);
  return value.join(kind === 'paragraphs' ? '\n\n' : ', ');
}

/** All settings as their fields hold them. */
export function readTexts({ settings }: StaffSettings): TypedSettings {
  return Object.fromEntries(settings.map((setting) => [fieldOf(setting), toText(setting)]));
}

/** The settings whose fields hold something else than their values. */
export function listChanges({ settings }: StaffSettings, typed: TypedSettings): SettingChange[] {
  return settings.flatMap((setting) => {
    const text = typed[fieldOf(setting)] ?? '';
    return text === toText(setting) ? [] : [toChange(setting, text)];
  });
}

/** Text that is no number is sent as it is, so that the server refuses it by name. */
function toChange({ path, kind, canBeEmpty, language }: StaffSetting, text: string): SettingChange {
  const typed = text.trim();
  if (typed === '') return { path, ...findEmptyValue({ kind, canBeEmpty, language }) };
  switch (kind) {
    case 'switch':
      return { path, value: typed === 'true' };
    case 'number':
      return { path, value: toNumber(typed) ?? typed };
    case 'amounts': {
      const amounts = typed.split(/[\s,;]+/).map(toNumber);
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

/** A value for people, in one line. */
export function showValue(value: SettingValue): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return t('none|a value');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (!Array.isArray(value)) return nameSettingChoice(t, String(value));
  return value.join(typeof value[0] === 'number' ? ', ' : ' ¶ ');
}
