import { PERSON_NAME_LENGTH, PHONE_LENGTH } from '#contract/limits.ts';
import { formatPhone, isPhone } from '#web/features/site/phone.ts';
import { changeProfile, profileStore } from '#web/platform/account/profile.ts';
import type { ChangeCustomer, Customer } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';

type Details = { name: string; phone: string };

const DRAFT = 'details';
const PHONE_PROBLEM = 'Enter a phone number with its country code, like +1 206 555 0142, or leave it empty.';

export function DetailsCard({ customer }: { customer: Customer }) {
  const form = useForm({
    initial: (): Details => ({ ...readDetails(customer), ...findDraft(DRAFT) }),
    check: ({ name, phone }) => ({
      ...(name.trim() === '' ? { name: MESSAGES.name } : {}),
      ...(isPhone(phone) ? {} : { phone: PHONE_PROBLEM }),
    }),
    send: save,
    onDone: showSaved,
  });
  const isChanged = Object.keys(findChange(form.values, customer)).length > 0;
  useBusyWhile(isChanged, 'details being typed');
  usePersistedDraft(DRAFT, () => (isChanged ? form.values : null));

  async function save(typed: Details): Promise<boolean> {
    const change = findChange(typed, customer);
    if (Object.keys(change).length === 0) return false;
    await changeProfile(change);
    return true;
  }

  function showSaved(isSaved: boolean, sent: Details) {
    if (!isSaved) return notify('You haven’t changed anything.');
    const stored = readDetails(profileStore.get().customer);
    // What was typed since stays.
    if (form.values.name === sent.name) form.change({ name: stored.name });
    if (form.values.phone === sent.phone) form.change({ phone: stored.phone });
    notify('Your details are saved.', { type: 'success' });
  }

  return (
    <Card title="Your details">
      <Form form={form} problemTitle="Your details were not saved">
        <TextField
          {...form.input('name')}
          label="Name"
          autoComplete="name"
          required
          maxLength={PERSON_NAME_LENGTH}
        />
        <PhoneField
          {...form.input('phone')}
          label="Phone"
          isOptional
          hint="With the country code, like +1 206 555 0142. We use it only for sailing updates."
          maxLength={PHONE_LENGTH}
          onBlur={() => form.change({ phone: formatPhone(form.values.phone) })}
        />
        <Button type="submit" isPending={form.isPending} pendingText="Saving…">
          Save
        </Button>
      </Form>
    </Card>
  );
}

function readDetails({ name, phone }: Customer): Details {
  return { name, phone: formatPhone(phone) };
}

/** Only what differs is sent. */
function findChange(typed: Details, customer: Customer): ChangeCustomer {
  return {
    ...(typed.name.trim() === customer.name ? {} : { name: typed.name.trim() }),
    ...(formatPhone(typed.phone.trim()) === formatPhone(customer.phone) ? {} : { phone: typed.phone.trim() }),
  };
}
