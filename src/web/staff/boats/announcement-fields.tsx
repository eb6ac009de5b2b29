import { PASSENGER_TEXT_LENGTH } from '#contract/desk/limits.ts';
import type { BoatChangeInput } from '#contract/desk/schemas.ts';
import { EXCEPTION_REASONS, type ExceptionReason } from '#contract/sailings/exceptions.ts';
import { LANGUAGES, listOfferedLanguages, type OfferedLanguage } from '#messages/languages.ts';
import { t } from '#web/language/texts.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { REASON_NAMES } from './change-texts.ts';

/** What passengers are told, by language. */
export type Texts = Partial<Record<OfferedLanguage, string>>;

type FieldProps<Value> = {
  id: string;
  error?: string | undefined;
  value: Value;
  onChange: (value: Value) => void;
};

/** Why boats do not run as planned; it may be left open. */
export function ReasonField({ onChange, ...field }: FieldProps<ExceptionReason | ''>) {
  return (
    <Select
      {...field}
      label={t('Reason')}
      isOptional
      onChange={({ target }) => onChange(EXCEPTION_REASONS.find((each) => each === target.value) ?? '')}
      options={[
        { value: '', label: t('None|a reason') },
        ...EXCEPTION_REASONS.map((each) => ({ value: each, label: t(REASON_NAMES[each]) })),
      ]}
    />
  );
}

type PassengerTextsProps = FieldProps<Texts> & {
  /** The operator's; null: the product does not have it. */
  language: OfferedLanguage | null;
  isRequired?: boolean;
};

/** A text in the operator's language for all, and others for those who read another one. */
export function PassengerTexts({
  value,
  language,
  isRequired = false,
  onChange,
  ...first
}: PassengerTextsProps) {
  const [own, ...others] = listOfferedLanguages().toSorted(
    (a, b) => Number(b === language) - Number(a === language),
  );
  const field = (each: OfferedLanguage) => ({
    label: t('Text for passengers ({language})', { language: LANGUAGES[each].name }),
    value: value[each] ?? '',
    maxLength: PASSENGER_TEXT_LENGTH,
    autoComplete: 'off',
    lang: each,
    onChange: (event: { target: { value: string } }) => onChange({ ...value, [each]: event.target.value }),
  });
  if (own === undefined) return null;
  return (
    <Stack gap="sm">
      <TextField
        {...first}
        {...field(own)}
        hint={isRequired ? undefined : t('Instead of the usual sentence.')}
        isOptional={!isRequired}
      />
      <Disclosure summary={t('In other languages')}>
        <Stack gap="sm">
          {others.map((each) => (
            <TextField key={each} {...field(each)} isOptional />
          ))}
        </Stack>
      </Disclosure>
    </Stack>
  );
}

/** Those that are written, as the server takes them. */
export function listTexts(texts: Texts): BoatChangeInput['texts'] {
  return listOfferedLanguages().flatMap((language) => {
    const text = texts[language]?.trim() ?? '';
    return text === '' ? [] : [{ language, text }];
  });
}
