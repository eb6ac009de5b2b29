import { useState } from 'react';
import { type Message, message } from '#messages/translate.ts';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { StepUpMethod } from '#web/platform/api/types.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { PROOFS } from './proofs.tsx';

export type StepUpDialogProps = {
  methods: readonly StepUpMethod[];
  onConfirmed: (token: string) => void;
  onCancel: () => void;
};

export function StepUpDialog({ methods, onConfirmed, onCancel }: StepUpDialogProps) {
  const [method, setMethod] = useState(() => findBest(methods));
  const Proof = method === null ? null : PROOFS[method];
  useBusyWhile(true, 'confirming who it is');
  return (
    <Modal title={t('Confirm it’s you')} size="sm" onClose={onCancel}>
      <Stack>
        <p>{t('This affects your account’s security, so we check it’s you.')}</p>
        {Proof === null ? <NoWay /> : <Proof key={method} onConfirmed={onConfirmed} />}
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} variant="quiet" block onClick={() => setMethod(other)}>
              {t(OTHER_WAYS[other])}
            </Button>
          ))}
      </Stack>
    </Modal>
  );
}

const OTHER_WAYS: Record<StepUpMethod, Message> = {
  passkey: message('Use a passkey instead'),
  password: message('Use your password instead'),
  authenticator: message('Use your authenticator instead'),
  email_code: message('Get a code by email instead'),
};

function NoWay() {
  const canReach = useCanReach();
  return (
    <p>
      {canReach
        ? rich('You cannot confirm that here. Sign out and in again, or <contact></contact>.', {
            contact: () => <ContactWays />,
          })
        : t('You cannot confirm that here. Sign out and in again.')}
    </p>
  );
}

/** The first method; passkeys only if the browser supports them or there is nothing else. */
function findBest(methods: readonly StepUpMethod[]): StepUpMethod | null {
  const usable = methods.filter((method) => method !== 'passkey' || canUsePasskeys());
  return usable[0] ?? methods[0] ?? null;
}
