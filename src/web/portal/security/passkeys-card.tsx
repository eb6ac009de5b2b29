import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { addPasskey, createPasskeyChallenge } from '#contract/security/endpoints.ts';
import { Verbatim } from '#web/platform/api/case-conversion.ts';
import { request } from '#web/platform/api/request.ts';
import type { Passkey } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { canUsePasskeys, isCancelled } from '#web/platform/passkeys/passkeys.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';
import { Problem } from '../parts/problem.tsx';
import { RowList } from '../parts/row-list.tsx';
import { formatDate, formatWhen } from '../parts/timestamp.tsx';
import { LoadedCard } from './loaded-card.tsx';
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';
import { useSecurityAction } from './use-security-action.ts';

type Open = { passkey: Passkey; dialog: 'rename' | 'remove' };

export function PasskeysCard({ query }: { query: UseQueryResult<Passkey[]> }) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <LoadedCard title="Passkeys" what="your passkeys" query={query}>
        {(passkeys) => (
          <Stack>
            <p>Sign in with your face, fingerprint or screen lock. No password to remember or type.</p>
            {passkeys.length > 0 && (
              <RowList
                label="Passkeys"
                rows={passkeys.map((passkey) => ({
                  id: passkey.id,
                  title: (
                    <>
                      {passkey.name} <SyncBadge passkey={passkey} />
                    </>
                  ),
                  facts: formatFacts(passkey, query.dataUpdatedAt),
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
      {open?.dialog === 'rename' && <RenamePasskeyDialog passkey={open.passkey} onClose={close} />}
      {open?.dialog === 'remove' && <RemovePasskeyDialog passkey={open.passkey} onClose={close} />}
    </>
  );
}

/** Whether the passkey survives the loss of the device. */
function SyncBadge({ passkey }: { passkey: Passkey }) {
  return passkey.backedUp ? <Badge tone="success">Synced</Badge> : <Badge>This device only</Badge>;
}

function formatFacts({ insertedAt, lastUsedAt }: Passkey, now: number): string {
  const used = lastUsedAt === null ? 'not used yet' : `last used ${formatWhen(lastUsedAt, now)}`;
  return `Added ${formatDate(insertedAt)}, ${used}`;
}

type PasskeyMenuProps = { name: string; onChoose: (dialog: Open['dialog']) => void };

function PasskeyMenu({ name, onChoose }: PasskeyMenuProps) {
  return (
    <Menu
      label=""
      icon="more"
      variant="quiet"
      accessibleLabel={`Change ${name}`}
      items={[
        { id: 'rename', label: 'Rename', onSelect: () => onChoose('rename') },
        { id: 'remove', label: 'Remove', isDanger: true, onSelect: () => onChoose('remove') },
      ]}
    />
  );
}

function AddPasskey({ isFirst }: { isFirst: boolean }) {
  const add = useSecurityAction(createAndAdd, {
    onDone: ({ name }) =>
      notify(`“${name}” is added. You can sign in with it from now on.`, { type: 'success' }),
    explain: explainRefusal,
  });
  if (!canUsePasskeys()) {
    return <p>This browser does not support passkeys. Open this page in another browser to add one.</p>;
  }
  return (
    <>
      <Problem text={add.problem} />
      <div>
        <Button
          variant={isFirst ? 'primary' : 'secondary'}
          icon="plus"
          isPending={add.isPending}
          pendingText="Adding…"
          onClick={() => add.run()}
        >
          Add a passkey
        </Button>
      </div>
    </>
  );
}

async function createAndAdd(): Promise<Passkey> {
  const [{ temp, options }, { createPasskey }] = await Promise.all([
    request(createPasskeyChallenge),
    import('./browser-passkey.ts'),
  ]);
  const response = new Verbatim(await createPasskey(options));
  return request(addPasskey, { body: { temp, response } });
}

function explainRefusal(failure: Error): string {
  const names = [failure, failure.cause].map((each) => (each instanceof Error ? each.name : ''));
  if (names.includes('InvalidStateError')) return 'This device already has a passkey for your account.';
  return isCancelled(failure) ? 'No passkey was added. You can try again.' : explainFailure(failure);
}
