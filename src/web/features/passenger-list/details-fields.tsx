import { PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { CARE_LENGTH, GENDERS, type Gender } from '#contract/passenger-lists/fields.ts';
import { type Message, message } from '#messages/translate.ts';
import { listCountries } from '#web/language/countries.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { PhoneField, TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { type DetailsValues, detailsField, getToday } from './details-values.ts';

type Control = Required<Pick<TextFieldProps, 'name'>> & {
  id: string;
  error: string | undefined;
  value: string;
  onChange: (event: { target: { value: string } }) => void;
};

type DetailsFieldsProps = {
  /** `label`: who travels, such as "Adult 2". */
  travelers: readonly { index: number; label: string }[];
  form: { input: (name: keyof DetailsValues) => Control };
};

export const GENDER_TEXTS: Readonly<Record<Gender, Message>> = {
  female: message('Female|a gender'),
  male: message('Male|a gender'),
  unspecified: message('Unspecified|a gender'),
};

/** What the law asks of each traveler on this route. */
export function DetailsFields({ travelers, form }: DetailsFieldsProps) {
  const countries = listCountries(textLanguage());
  return (
    <Stack>
      <p className="note">
        {t(
          'The law asks for this of everyone aboard on this route. Only the crew and the authorities read it, for an emergency. It is erased by itself soon after the arrival. The names also appear on the tickets.',
        )}
      </p>
      {travelers.map(({ index, label }) => (
        <OneTraveler key={index} {...{ index, label, countries, form }} />
      ))}
    </Stack>
  );
}

type OneTravelerProps = Pick<DetailsFieldsProps, 'form'> & {
  index: number;
  label: string;
  countries: { value: string; label: string }[];
};

function OneTraveler({ index, label, countries, form: { input } }: OneTravelerProps) {
  const name = { autoComplete: 'off', autoCapitalize: 'words', spellCheck: false, dir: 'auto' } as const;
  return (
    <Stack as="fieldset" gap="sm">
      <legend>
        <strong>{label}</strong>
      </legend>
      <TextField
        {...input(detailsField(index, 'familyName'))}
        {...name}
        label={t('Family name')}
        maxLength={PERSON_NAME_LENGTH}
      />
      <TextField
        {...input(detailsField(index, 'forenames'))}
        {...name}
        label={t('Forenames')}
        maxLength={PERSON_NAME_LENGTH}
      />
      <TextField
        {...input(detailsField(index, 'birthDate'))}
        type="date"
        label={t('Date of birth')}
        autoComplete="off"
        max={getToday()}
      />
      <Select
        {...input(detailsField(index, 'gender'))}
        label={t('Gender')}
        placeholder={t('Choose…')}
        options={GENDERS.map((gender) => ({ value: gender, label: t(GENDER_TEXTS[gender]) }))}
      />
      <Select
        {...input(detailsField(index, 'nationality'))}
        label={t('Nationality')}
        placeholder={t('Choose…')}
        options={countries}
      />
      <Disclosure summary={t('Help in an emergency (optional)')}>
        <Stack gap="sm">
          <TextField
            {...input(detailsField(index, 'care'))}
            label={t('What the crew should know in an emergency')}
            isOptional
            autoComplete="off"
            dir="auto"
            maxLength={CARE_LENGTH}
          />
          <PhoneField
            {...input(detailsField(index, 'emergencyPhone'))}
            label={t('Phone number of someone ashore')}
            isOptional
            autoComplete="off"
            maxLength={PHONE_LENGTH}
          />
        </Stack>
      </Disclosure>
    </Stack>
  );
}
