import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeStaffRole,
  disableStaffMember,
  endStaffMemberSessions,
  inviteStaffMember,
  resetStaffMember,
} from '#contract/staff/members/endpoints.ts';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { ActionButton, Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffMember } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { peopleQuery } from './people-query.ts';
import { RoleField } from './role-field.tsx';

type DialogProps = { member: StaffMember; onClose: () => void };
type Question = 'reset' | 'disable';

/** The role of a staff member, and what ends or renews their access. */
export function ChangeDialog({ member, onClose }: DialogProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  if (question === 'disable') return <DisableDialog member={member} onClose={onClose} />;
  if (question === 'reset') return <ResetDialog member={member} onClose={onClose} />;
  return <Choices member={member} onClose={onClose} onAsk={setQuestion} />;
}

/** An action on a staff member, after which the list is loaded again and the dialog closes. */
function useStaffAction<Input = void>(
  act: (input: Input) => Promise<unknown>,
  { done, onClose }: { done: string; onClose: () => void },
) {
  const client = useQueryClient();
  return useAction(act, {
    onDone: async () => {
      await client.invalidateQueries(peopleQuery);
      notify(done, { type: 'success' });
      onClose();
    },
  });
}

function Choices({ member, onClose, onAsk }: DialogProps & { onAsk: (question: Question) => void }) {
  const { id, name, email, state } = member;
  const [role, setRole] = useState(member.role);
  const params = { id };
  const save = useStaffAction(() => request(changeStaffRole, { params, body: { role } }), {
    done: t('The role of {name} is changed.', { name }),
    onClose,
  });
  const signOut = useStaffAction(() => request(endStaffMemberSessions, { params }), {
    done: t('{name} is signed out on all devices.', { name }),
    onClose,
  });
  const invite = useStaffAction(() => request(inviteStaffMember, { body: { name, email, role } }), {
    done: t('An invitation is on its way to {email}.', { email }),
    onClose,
  });
  return (
    <Modal
      title={name}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Close')}
          </Button>
          {state === 'active' && (
            <Button isPending={save.isPending} pendingText={t('Saving…')} onClick={() => save.run()}>
              {t('Save the role')}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        <Problem text={save.problem} />
        <RoleField value={role} onChange={setRole} />
        {state === 'active' ? (
          <>
            <ActionButton action={signOut} icon="sign-out" block>
              {t('Sign out on all devices')}
            </ActionButton>
            <Button variant="secondary" icon="key" block onClick={() => onAsk('reset')}>
              {t('Reset how they sign in')}
            </Button>
          </>
        ) : (
          <ActionButton action={invite} icon="mail" block>
            {t('Invite again')}
          </ActionButton>
        )}
        {state !== 'disabled' && (
          <Button variant="danger" block onClick={() => onAsk('disable')}>
            {t('Disable this account')}
          </Button>
        )}
      </Stack>
    </Modal>
  );
}

function DisableDialog({ member: { id, name }, onClose }: DialogProps) {
  const disable = useStaffAction(() => request(disableStaffMember, { params: { id } }), {
    done: t('{name} can no longer sign in.', { name }),
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('Disable {name}?', { name })}
      size="sm"
      confirm={t('Disable')}
      action={disable}
      onClose={onClose}
    >
      <p>
        {t('They are signed out everywhere at once and can no longer sign in. You can invite them again.')}
      </p>
    </ConfirmDialog>
  );
}

function ResetDialog({ member: { id, name, email }, onClose }: DialogProps) {
  const reset = useStaffAction(() => request(resetStaffMember, { params: { id } }), {
    done: t('A new link is on its way to {email}.', { email }),
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('Reset how {name} signs in?', { name })}
      size="sm"
      confirm={t('Reset')}
      action={reset}
      onClose={onClose}
    >
      <p>
        {t(
          'For a lost phone: their password, authenticator and passkeys stop working, and they are signed out. We email them a link to choose new ones.',
        )}
      </p>
    </ConfirmDialog>
  );
}
