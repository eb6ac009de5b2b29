import type { ReactNode } from 'react';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, type ButtonVariant } from '#web/ui/form/button.tsx';
import type { PasskeySignIn } from './use-passkey-sign-in.ts';

type PasskeyButtonProps = PasskeySignIn & { variant?: ButtonVariant; children: ReactNode };

export function PasskeyButton({
  ask,
  isPending,
  problem,
  variant = 'secondary',
  children,
}: PasskeyButtonProps) {
  return (
    <>
      {problem !== null && (
        <Notice type="alert" role="alert">
          {problem}
        </Notice>
      )}
      <Button variant={variant} block icon="key" isPending={isPending} onClick={ask}>
        {children}
      </Button>
    </>
  );
}
