import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { formatPhone, isPhone } from '#web/features/site/phone.ts';
import { profileStore } from '#web/platform/account/profile.ts';
import type { ChangeCustomer, Customer } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { type Problems, problemsOf } from '../forms/problems.ts';
import { ProblemList, useProblems } from '../forms/use-problems.tsx';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { changeProfile } from './change-profile.ts';

type Details = { name: string; phone: string };

export function DetailsCard({ customer }: { customer: Customer }) {
  const stepUp = useStepUp();
  const [typed, setTyped] = useState<Details>(() => ({ ...detailsOf(customer), ...findDraft(DRAFT) }));
  const { problems, errors, show, fieldProps } = useProblems(FIELDS);
  const change = changeOf(typed, customer);
  const isChanged = Object.keys(change).length > 0;
  useBusyWhile(isChanged, 'details being typed');
  usePersistedDraft(DRAFT, () => (isChanged ? typed : null));
  const save = useMutation({ mutationFn: () => stepUp.run(() => changeProfile(change)) });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending || !show(check(typed))) return;
    if (!isChanged) {
      notify('You haven’t changed anything.');
      return;
    }
    save.mutate(undefined, {
      onSuccess: () => {
        const stored = detailsOf(profileStore.get().customer);
        // What was typed meanwhile stays.
        setTyped((now) => ({
          name: now.name === typed.name ? stored.name : now.name,
          phone: now.phone === typed.phone ? stored.phone : now.phone,
        }));
        notify('Your details are saved.', { type: 'success' });
      },
      onError: (failure) => {
        if (!(failure instanceof StepUpCancelled)) show(serverProblems(failure));
      },
    });
  }

  const field = (name: keyof Details) => ({
    ...fieldProps(name),
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <Card title="Your details">
      <form noValidate onSubmit={handleSubmit}>
        <Stack>
          <ProblemList title="Your details were not saved" errors={errors} form={problems.form} />
          <TextField {...field('name')} label="Name" autoComplete="name" required maxLength={120} />
          <PhoneField
            {...field('phone')}
            label="Phone"
            isOptional
            hint="With the country code, like +1 206 555 0142. We use it only for sailing updates."
            maxLength={32}
            onBlur={() => setTyped({ ...typed, phone: formatPhone(typed.phone) })}
          />
          <div>
            <Button type="submit" isPending={save.isPending} pendingText="Saving…">
              Save
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

const FIELDS = ['name', 'phone'] as const;
const DRAFT = 'details';

function detailsOf({ name, phone }: Customer): Details {
  return { name, phone: formatPhone(phone) };
}

/** Only what differs is sent. */
function changeOf(typed: Details, customer: Customer): ChangeCustomer {
  return {
    ...(typed.name.trim() === customer.name ? {} : { name: typed.name.trim() }),
    ...(formatPhone(typed.phone.trim()) === formatPhone(customer.phone) ? {} : { phone: typed.phone.trim() }),
  };
}

function check({ name, phone }: Details): Problems<keyof Details> {
  return {
    ...(name.trim() === '' ? { name: NAME_PROBLEM } : {}),
    ...(isPhone(phone) ? {} : { phone: PHONE_PROBLEM }),
  };
}

const NAME_PROBLEM = 'Enter your name.';
const PHONE_PROBLEM = 'Enter a phone number with its country code, like +1 206 555 0142, or leave it empty.';

function serverProblems(failure: unknown): Problems<keyof Details> {
  return problemsOf(failure, FIELDS);
}
