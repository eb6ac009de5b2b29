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
    <Notice type="warning" role="alert" title="We’re still checking your payment. Please don’t pay again.">
      <Stack gap="sm">
        <p>Your bank has not answered yet. This page updates by itself when it does.</p>
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
