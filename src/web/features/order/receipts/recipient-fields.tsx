import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { ADDRESS_LENGTH, TAX_NUMBER_LENGTH } from '#contract/receipts/limits.ts';
import { listCountries } from '#web/language/countries.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';

/** To whom a receipt or an invoice is made out, as it is typed. `country`: empty if nothing needs it. */
export type RecipientValues = { recipient: string; address: string; taxNumber: string; country: string };

export function startRecipient(): RecipientValues {
  return { recipient: '', address: '', taxNumber: '', country: pageConfig().seller_country ?? '' };
}

export function checkRecipient({ recipient, address }: RecipientValues) {
  return {
    ...(recipient.trim() === '' && { recipient: t('Enter the name.') }),
    ...(address.trim() === '' && { address: t('Enter the address.') }),
  };
}

/** As the calls take it. */
export function readRecipient({ recipient, address, taxNumber, country }: RecipientValues) {
  return {
    ...{ name: recipient.trim(), address: address.trim(), taxNumber: taxNumber.trim() },
    ...(country === '' ? {} : { country }),
  };
}

type RecipientFieldsProps = {
  form: Pick<ReturnType<typeof useForm<RecipientValues>>, 'input'>;
  nameLabel: string;
  /** Typed by staff, whose own address the browser must not fill in. */
  isOfOthers?: boolean;
};

export function RecipientFields({ form, nameLabel, isOfOthers = false }: RecipientFieldsProps) {
  return (
    <>
      <TextField
        {...form.input('recipient')}
        label={nameLabel}
        autoComplete={isOfOthers ? 'off' : 'organization'}
        maxLength={PERSON_NAME_LENGTH}
        required
      />
      <TextField
        {...form.input('address')}
        label={t('Address')}
        autoComplete={isOfOthers ? 'off' : 'street-address'}
        maxLength={ADDRESS_LENGTH}
        required
      />
      {pageConfig().seller_country !== undefined && (
        <Select
          {...form.input('country')}
          label={t('Country')}
          autoComplete={isOfOthers ? 'off' : 'country'}
          options={listCountries(textLanguage())}
        />
      )}
      <TextField
        {...form.input('taxNumber')}
        label={t('Tax number')}
        autoComplete="off"
        maxLength={TAX_NUMBER_LENGTH}
        isOptional
      />
    </>
  );
}
