import { useState } from 'react';
import { renewRecoveryCodes } from '#contract/security/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { SecurityOverview } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Problem } from '../parts/problem.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { useSecurityAction } from './use-security-action.ts';

const FEW = 3;

export function RecoveryCodesSection({ overview }: { overview: SecurityOverview }) {
  const { recoveryCodesLeft: left, mfaRequired, authenticator, passkeys } = overview;
  const [isAsking, setIsAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = useSecurityAction(async () => (await request(renewRecoveryCodes)).recoveryCodes, {
    onDone: (made) => {
      setIsAsking(false);
      setCodes(made);
    },
  });
  const isNeeded = authenticator.status === 'active' || (mfaRequired && passkeys > 0);
  if (!isNeeded && left === 0 && codes === null) return null;
  return (
    <Stack gap="sm">
      <h3>Recovery codes</h3>
      {left > FEW ? (
        <p>You have {left} recovery codes. Use one to sign in without your phone. Each works once.</p>
      ) : (
        <Notice type="warning">{describeFew(left)}</Notice>
      )}
      <Problem text={isAsking ? null : make.problem} />
      <div>
        <Button
          variant="secondary"
          isPending={make.isPending && !isAsking}
          onClick={() => (left === 0 ? make.run() : setIsAsking(true))}
        >
          Get new codes
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Get new recovery codes?"
          confirm="Get new codes"
          action={make}
          onClose={() => setIsAsking(false)}
        >
          Your current codes stop working. You get ten new ones.
        </ConfirmDialog>
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Stack>
  );
}

function describeFew(left: number): string {
  if (left === 0) return 'You have no recovery codes. Get some now, in case you lose your phone.';
  return left === 1
    ? 'You have one recovery code left. Get new ones soon.'
    : `You have ${left} recovery codes left. Get new ones soon.`;
}
