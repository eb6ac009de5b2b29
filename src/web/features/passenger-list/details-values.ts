import { GENDERS, type Gender } from '#contract/passenger-lists/fields.ts';
import { isBirthDate } from '#domain/passenger-lists/birth-date.ts';
import { t } from '#web/language/texts.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { serverNow } from '#web/platform/server-clock.ts';

const FIELDS = [
  'familyName',
  'forenames',
  'gender',
  'nationality',
  'birthDate',
  'care',
  'emergencyPhone',
] as const;
type Field = (typeof FIELDS)[number];

/** What the law asks of travelers, in a form, by their places in the party. */
export type DetailsValues = Record<`travelers.${number}.${Field}`, string>;

export function detailsField(index: number, field: Field): keyof DetailsValues {
  return `travelers.${index}.${field}`;
}

/** Values of the fields of travelers. `saved`: by `key` and field, as in `saveValues`. */
export function readValues(
  travelers: readonly { key: string; index: number }[],
  saved: Readonly<Record<string, string>> = {},
): DetailsValues {
  return Object.fromEntries(
    travelers.flatMap(({ key, index }) =>
      FIELDS.map((field) => [detailsField(index, field), saved[`${key} ${field}`] ?? '']),
    ),
  );
}

/** The typed values by key and field, so that they stay with the person when the rest of the party changes. */
export function saveValues(
  travelers: readonly { key: string; index: number }[],
  values: DetailsValues,
): Record<string, string> {
  return Object.fromEntries(
    travelers.flatMap(({ key, index }) =>
      FIELDS.map((field) => [`${key} ${field}`, values[detailsField(index, field)] ?? '']),
    ),
  );
}

/** A whole name as the two that the law asks for. The last word is taken for the family name, which can be corrected. */
export function splitName(index: number, name: string): Partial<DetailsValues> {
  const words = name.trim().split(/\s+/);
  return {
    [detailsField(index, 'familyName')]: words.at(-1) ?? '',
    [detailsField(index, 'forenames')]: words.slice(0, -1).join(' '),
  };
}

/** What is missing or impossible. */
export function checkDetails(
  values: DetailsValues,
  indexes: readonly number[],
): Partial<Record<keyof DetailsValues, string>> {
  const problems: Partial<Record<keyof DetailsValues, string>> = {};
  const today = getToday();
  for (const index of indexes) {
    const read = (field: Field) => (values[detailsField(index, field)] ?? '').trim();
    const report = (field: Field, problem: string) => {
      problems[detailsField(index, field)] = problem;
    };
    if (read('familyName') === '') report('familyName', t('Enter the family name, as in the passport.'));
    if (read('forenames') === '') report('forenames', t('Enter the forenames, as in the passport.'));
    if (read('gender') === '') report('gender', t('Choose the gender, as in the passport.'));
    if (read('nationality') === '') report('nationality', t('Choose the nationality.'));
    if (!isBirthDate(read('birthDate'), today)) report('birthDate', t('Enter the date of birth.'));
    if (!/^(\+?[\d\s().-]{6,20})?$/.test(read('emergencyPhone'))) report('emergencyPhone', MESSAGES.phone);
  }
  return problems;
}

/** The details of one traveler, as the server takes them. */
export function toDetails(values: DetailsValues, index: number) {
  const read = (field: Field) => (values[detailsField(index, field)] ?? '').trim();
  return {
    familyName: read('familyName'),
    forenames: read('forenames'),
    gender: GENDERS.find((gender) => gender === read('gender')) ?? ('unspecified' satisfies Gender),
    nationality: read('nationality'),
    birthDate: read('birthDate'),
    care: read('care'),
    emergencyPhone: read('emergencyPhone'),
  };
}

export function getToday(): string {
  return new Date(serverNow()).toISOString().slice(0, 10);
}
