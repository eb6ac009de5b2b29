import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addPasskey,
  createPasskeyChallenge,
  removePasskey,
  renamePasskey,
} from '#contract/identity/security/endpoints.ts';
import { PASSKEY_NAME_LENGTH } from '#contract/limits.ts';
import { ConfirmDialog, FormDialog } from '#web/features/site/dialogs.tsx';
import { ActionButton } from '#web/features/site/problem.tsx';
import { formatDate, formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { Verbatim } from '#web/platform/api/case-conversion.ts';
import { request } from '#web/platform/api/request.ts';
import type { Passkey } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { canUsePasskeys, isCanceled, reportUnknownPasskey } from '#web/platform/passkeys/passkeys.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';
import { LoadedCard } from './loaded-card.tsx';
import { useReloadSecurity, useSecurityAction } from './use-security-action.ts';

type Open = { passkey: Passkey; dialog: 'rename' | 'remove' };

export function PasskeysCard({ query }: { query: UseQueryResult<Passkey[]> }) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <LoadedCard title={t('Passkeys')} problem={t('We could not load your passkeys')} query={query}>
        {(passkeys) => (
          <Stack>
            <p>{t('Sign in with your face, fingerprint or screen lock. No password to remember or type.')}</p>
            {passkeys.length > 0 && (
              <RowList
                label={t('Passkeys')}
                rows={passkeys.map((passkey) => ({
                  id: passkey.id,
                  title: (
                    <>
                      {passkey.name} <SyncBadge passkey={passkey} />
                    </>
                  ),
                  details: formatPasskeyDetails(passkey, query.dataUpdatedAt),
                  action: (
                    <PasskeyMenu name={passkey.name} onChoose={(dialog) => setOpen({ passkey, dialog })} />
                  ),
                }))}
              />
            )}
            <AddPasskey isFirst={passkeys.length === 0} />
          </Stack>
        )}
      </LoadedCard>
      {open?.dialog === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDialog passkey={open.passkey} onClose={close} />}
    </>
  );
}

/** Whether the passkey survives the loss of the device. */
function SyncBadge({ passkey }: { passkey: Passkey }) {
  return passkey.backedUp ? (
    <Badge tone="success">{t('Synced')}</Badge>
  ) : (
    <Badge>{t('This device only')}</Badge>
  );
}

function formatPasskeyDetails({ insertedAt, lastUsedAt }: Passkey, now: number): string {
  const date = formatDate(insertedAt);
  return lastUsedAt === null
    ? t('Added {date}, not used yet', { date })
    : t('Added {date}, last used {time}', { date, time: formatWhen(lastUsedAt, now) });
}

type PasskeyMenuProps = { name: string; onChoose: (dialog: Open['dialog']) => void };

function PasskeyMenu({ name, onChoose }: PasskeyMenuProps) {
  return (
    <Menu
      label=""
      icon="more"
      variant="quiet"
      accessibleLabel={t('Change {name}', { name })}
      items={[
        { id: 'rename', label: t('Rename'), onSelect: () => onChoose('rename') },
        { id: 'remove', label: t('Remove'), isDanger: true, onSelect: () => onChoose('remove') },
      ]}
    />
  );
}

function AddPasskey({ isFirst }: { isFirst: boolean }) {
  const add = useSecurityAction(createAndAdd, {
    onDone: ({ name }) =>
      notify(t('“{name}” is added. You can sign in with it from now on.', { name }), { type: 'success' }),
    explain: explainRefusal,
  });
  if (!canUsePasskeys()) {
    return (
      <p>{t('This browser does not support passkeys. Open this page in another browser to add one.')}</p>
    );
  }
  return (
    <ActionButton
      action={add}
      variant={isFirst ? 'primary' : 'secondary'}
      icon="plus"
      pendingText={t('Adding…')}
    >
      {t('Add a passkey')}
    </ActionButton>
  );
}

async function createAndAdd(): Promise<Passkey> {
  const [{ temp, options }, { createPasskey }] = await Promise.all([
    request(createPasskeyChallenge),
    import('#web/platform/passkeys/create-passkey.ts'),
  ]);
  const response = new Verbatim(await createPasskey(options));
  return request(addPasskey, { body: { temp, response } });
}

function explainRefusal(failure: Error): string {
  const names = [failure, failure.cause].map((each) => (each instanceof Error ? each.name : ''));
  if (names.includes('InvalidStateError')) return t('This device already has a passkey for your account.');
  return isCanceled(failure) ? t('No passkey was added. You can try again.') : explainFailure(failure);
}

type DialogProps = { passkey: Passkey; onClose: () => void };

function RenameDialog({ passkey, onClose }: DialogProps) {
  const form = useForm({
    initial: { name: passkey.name },
    check: ({ name }): { name?: string } => (name.trim() === '' ? { name: MESSAGES.label } : {}),
    send: ({ name }) => request(renamePasskey, { params: { id: passkey.id }, body: { name: name.trim() } }),
    onDone: onClose,
    onSettled: useReloadSecurity(),
  });
  return (
    <FormDialog
      form={form}
      title={t('Rename passkey')}
      size="sm"
      confirm={t('Save')}
      pendingText={t('Saving…')}
      onClose={onClose}
    >
      <TextField
        {...form.input('name')}
        label={t('Name')}
        hint={t('A name you will recognize, like “Work laptop”.')}
        autoComplete="off"
        maxLength={PASSKEY_NAME_LENGTH}
      />
    </FormDialog>
  );
}

function RemoveDialog({ passkey: { id, name, credentialId }, onClose }: DialogProps) {
  const remove = useSecurityAction(() => request(removePasskey, { params: { id } }), {
    onDone: () => {
      // So that the browser stops offering it.
      void reportUnknownPasskey({ rpId: pageConfig().parent_domain, credentialId });
      notify(t('“{name}” is removed.', { name }), { type: 'success' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t('Remove “{name}”?', { name })}
      size="sm"
      confirm={t('Remove')}
      action={remove}
      onClose={onClose}
    >
      <p>
        {t(
          'You can no longer sign in with it. If your device or password manager still offers it, delete it there too.',
        )}
      </p>
    </ConfirmDialog>
  );
}
