import { correctStaffOrder } from '#contract/desk/orders/endpoints.ts';
import { EMAIL_LENGTH, PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { isPhone } from '#web/features/site/phone.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { hasValidTickets, useShowOrder } from '../staff-order.ts';

type Values = {
  'contact.name': string;
  'contact.email': string;
  'contact.phone': string;
  mailTickets: boolean;
};

/** Corrects who is written to and called about an order. An order that staff sold may have a phone number only. */
export function ContactDialog({ staffOrder, onClose }: { staffOrder: StaffOrder; onClose: () => void }) {
  const { reference, contact } = staffOrder.order;
  const { needsEmail } = staffOrder;
  const show = useShowOrder();
  const form = useForm({
    initial: (): Values => ({
      'contact.name': contact.name,
      'contact.email': contact.email,
      'contact.phone': contact.phone,
      mailTickets: hasValidTickets(staffOrder),
    }),
    check: (values) => checkValues(staffOrder, values),
    send: ({ mailTickets, ...values }) =>
      request(correctStaffOrder, {
        params: { reference },
        body: {
          contact: {
            name: values['contact.name'].trim(),
            email: values['contact.email'].trim(),
            phone: values['contact.phone'].trim(),
          },
          mailTickets: mailTickets && values['contact.email'].trim() !== '',
        },
      }),
    onDone: (corrected) => {
      show(corrected, t('The contact is corrected.'));
      onClose();
    },
    busyReason: 'the contact of an order being corrected',
  });
  return (
    <FormDialog
      form={form}
      title={t('Correct the contact')}
      confirm={t('Save')}
      pendingText={t('Saving…')}
      problemTitle={t('The contact is not corrected yet')}
      onClose={onClose}
    >
      <TextField
        {...form.input('contact.name')}
        label={t('Name')}
        autoComplete="off"
        maxLength={PERSON_NAME_LENGTH}
        isOptional={contact.name === ''}
        required={contact.name !== ''}
      />
      <EmailField
        {...form.input('contact.email')}
        label={t('Email')}
        hint={contact.email === '' ? undefined : t('The old address is told that it was changed.')}
        isOptional={!needsEmail}
        autoComplete="off"
        maxLength={EMAIL_LENGTH}
        required={needsEmail}
      />
      <PhoneField
        {...form.input('contact.phone')}
        label={t('Phone')}
        isOptional
        autoComplete="off"
        maxLength={PHONE_LENGTH}
      />
      {hasValidTickets(staffOrder) && form.values['contact.email'].trim() !== '' && (
        <Checkbox
          {...form.field('mailTickets')}
          label={t('Mail the tickets again')}
          checked={form.values.mailTickets}
          onChange={({ target }) => form.change({ mailTickets: target.checked })}
        />
      )}
    </FormDialog>
  );
}

function checkValues({ order, needsEmail, paymentLink }: StaffOrder, values: Values) {
  const [name, email, phone] = [
    values['contact.name'].trim(),
    values['contact.email'].trim(),
    values['contact.phone'].trim(),
  ];
  const isNameMissing = name === '' && order.contact.name !== '';
  const isUnreachable = email === '' && phone === '' && paymentLink !== null;
  return {
    ...(isNameMissing ? { 'contact.name': t('Enter the buyer’s name.') } : {}),
    ...(isEmail(email) || (email === '' && !needsEmail) ? {} : { 'contact.email': MESSAGES.email }),
    ...(isPhone(phone) && !isUnreachable ? {} : { 'contact.phone': MESSAGES.phone }),
  };
}
