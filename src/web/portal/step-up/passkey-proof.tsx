import { isCancelled, requestPasskey } from '#web/platform/passkeys/passkeys.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import { useProof } from './use-proof.ts';

export function PasskeyProof({ onConfirmed }: { onConfirmed: (token: string) => void }) {
  const proof = useProof({ onConfirmed });
  const button = useFirstFocus<HTMLButtonElement>();
  async function ask() {
    const { temp, response } = await requestPasskey();
    return { temp, response };
  }
  return (
    <Stack>
      {proof.error !== null && (
        <Notice type={isCancelled(proof.error) ? 'message' : 'alert'} role="alert">
          {isCancelled(proof.error) ? 'No passkey was used. You can try again.' : proof.problem}
        </Notice>
      )}
      <Button
        ref={button}
        block
        size="large"
        icon="key"
        isPending={proof.isPending}
        pendingText="Waiting for your passkey…"
        onClick={() => proof.show(ask)}
      >
        Use a passkey
      </Button>
    </Stack>
  );
}
