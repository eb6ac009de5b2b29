import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { Questions } from '../contact-ways.tsx';

type StillUnknownProps = {
  /** What happens to whoever closes the page. */
  children: ReactNode;
  isAsking: boolean;
  onAsk: () => void;
};

/** A payment was sent and nobody has said yet what became of it. */
export function StillUnknown({ children, isAsking, onAsk }: StillUnknownProps) {
  return (
    <Notice type="warning" role="alert" title="We do not know yet. Do not pay again.">
      <Stack gap="sm">
        <p>
          Your payment was sent, but we have no answer yet. We keep asking, and this page moves on by itself
          as soon as we know.
        </p>
        <p>
          {children} <Questions />
        </p>
        <Button variant="secondary" isPending={isAsking} onClick={onAsk}>
          Check now
        </Button>
      </Stack>
    </Notice>
  );
}
