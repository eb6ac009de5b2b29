import { useAction } from '#web/platform/forms/use-action.ts';
import { isCancelled, requestPasskey } from '#web/platform/passkeys/passkeys.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { confirmWith, explainProof, type ProofProps, sendProof } from './proof.ts';
import { useFirstFocus } from './use-first-focus.ts';

export function PasskeyProof({ onConfirmed }: ProofProps) {
  const button = useFirstFocus<HTMLButtonElement>();
  const proof = useAction(provePasskey, { onDone: confirmWith(onConfirmed), explain: explainProof });
  return (
    <Stack>
      {proof.failure !== null && (
        <Notice type={isCancelled(proof.failure) ? 'message' : 'alert'} role="alert">
          {isCancelled(proof.failure) ? 'No passkey was used. You can try again.' : proof.problem}
        </Notice>
      )}
      <Button
        ref={button}
        block
        size="large"
        icon="key"
        isPending={proof.isPending}
        pendingText="Waiting for your passkey…"
        onClick={() => proof.run()}
      >
        Use a passkey
      </Button>
    </Stack>
  );
}

async function provePasskey() {
  const { temp, response } = await requestPasskey();
  return sendProof({ temp, response });
}
