import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { staffPages } from '#contract/paths.ts';
import {
  acceptStaffInvitation,
  createInvitedPasskey,
  readStaffInvitation,
} from '#contract/staff/endpoints.ts';
import { nameRole } from '#sentences/staff.ts';
import { AuthenticatorKey } from '#web/features/identity/authenticator-key.tsx';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { LinkUseless, useMailedToken } from '#web/features/identity/mailed-link.tsx';
import {
  countMissingCharacters,
  NewPasswordField,
  PASSWORD_REFUSALS,
} from '#web/features/identity/new-password-field.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { Verbatim } from '#web/platform/api/case-conversion.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffInvitation } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { canUsePasskeys, isCanceled } from '#web/platform/passkeys/passkeys.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { CodeField } from '#web/ui/form/code-field.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { setStaffSession } from '../session/staff-session.ts';

/** The page of an invitation's link: the person chooses how to sign in, and is signed in. */
export function InvitationScreen() {
  const token = useMailedToken();
  const invitation = useQuery({
    queryKey: ['staff-invitation', token],
    queryFn: ({ signal }) => request(readStaffInvitation, { body: { token: token ?? '' }, signal }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { brand } = useSettings();
  if (token === null || hasErrorCode(invitation.error, 'link_expired')) {
    return (
      <FormPage
        title={t('Your staff account')}
        intro={t('Invitations to work for {brand}.', { brand: brand.name })}
      >
        <LinkUseless instead={<ButtonLink to={staffPages.home}>{t('Sign in')}</ButtonLink>}>
          {token === null
            ? t('This link is incomplete. Open it from the email again.')
            : t('That link has been used or is too old. Ask a manager for a new one.')}
        </LinkUseless>
      </FormPage>
    );
  }
  if (invitation.data === undefined) {
    return (
      <QueryFallback
        query={invitation}
        problem={t('We could not load your invitation')}
        loading={t('Loading…')}
      >
        <Skeleton height="20rem" />
      </QueryFallback>
    );
  }
  const { role, email } = invitation.data;
  return (
    <FormPage
      title={t('Your staff account')}
      intro={t('{brand} has invited {email} to work here. Role: {role}.', {
        brand: brand.name,
        email,
        role: nameRole(t, role),
      })}
    >
      <AcceptForm token={token} invitation={invitation.data} />
    </FormPage>
  );
}

type Method = 'passkey' | 'password';
type Values = { name: string; method: Method; password: string; code: string };

function AcceptForm({ token, invitation }: { token: string; invitation: StaffInvitation }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [hasPasskeys] = useState(canUsePasskeys);
  const form = useForm({
    initial: (): Values => ({
      name: invitation.name,
      method: hasPasskeys ? 'passkey' : 'password',
      password: '',
      code: '',
    }),
    check,
    send: (values) =>
      values.method === 'passkey' ? acceptWithPasskey(token, values) : accept(token, values),
    onDone: async (session) => {
      setStaffSession(client, session);
      await navigate(staffPages.home, { replace: true });
    },
    onFailed: (failure) =>
      isCanceled(failure) ? { form: t('No passkey was added. You can try again.') } : undefined,
    byCode: { ...PASSWORD_REFUSALS, invalid_code: 'code' },
    busyReason: 'an invitation being accepted',
  });
  const { method, name, password, code } = form.values;
  return (
    <Form form={form} problemTitle={t('Your account is not ready yet')}>
      <TextField
        {...form.input('name')}
        label={t('Name')}
        hint={t('As your colleagues know you.')}
        autoComplete="name"
        maxLength={PERSON_NAME_LENGTH}
        required
      />
      {hasPasskeys && (
        <RadioCards
          legend={t('How will you sign in?')}
          value={method}
          onChange={(chosen) => form.change({ method: chosen })}
          options={[
            {
              value: 'passkey',
              label: t('With a passkey'),
              description: t('Your fingerprint, face or screen lock. The quickest way.'),
            },
            {
              value: 'password',
              label: t('With a password and an authenticator app'),
              description: t('Two steps each time you sign in.'),
            },
          ]}
        />
      )}
      {method === 'password' && (
        <>
          <NewPasswordField
            {...form.field('password')}
            label={t('Password')}
            value={password}
            context={{ email: invitation.email, name }}
            onChange={(typed) => form.change({ password: typed })}
          />
          <AuthenticatorKey setup={invitation.authenticator} />
          <CodeField
            {...form.field('code')}
            label={t('Code that the app shows')}
            value={code}
            onChange={(typed) => form.change({ code: typed })}
          />
        </>
      )}
      <Button type="submit" size="large" block isPending={form.isPending} pendingText={t('One moment…')}>
        {t(method === 'passkey' ? 'Create a passkey and sign in' : 'Accept and sign in')}
      </Button>
    </Form>
  );
}

function check({ name, method, password, code }: Values) {
  return {
    ...(name.trim() === '' ? { name: MESSAGES.name } : {}),
    ...(method === 'password' && countMissingCharacters(password) > 0
      ? { password: MESSAGES.shortPassword }
      : {}),
    ...(method === 'password' && code.length < 6 ? { code: MESSAGES.digits } : {}),
  };
}

function accept(token: string, { name, password, code }: Values) {
  return request(acceptStaffInvitation, { body: { token, name: name.trim(), password, code } });
}

async function acceptWithPasskey(token: string, { name }: Values) {
  const [{ temp, options }, { createPasskey }] = await Promise.all([
    request(createInvitedPasskey, { body: { token } }),
    import('#web/platform/passkeys/create-passkey.ts'),
  ]);
  const response = new Verbatim(await createPasskey(options));
  return request(acceptStaffInvitation, { body: { token, name: name.trim(), temp, response } });
}
