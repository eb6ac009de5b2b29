import type { ReactNode } from 'react';
import { TermsSentence } from '#web/parts/terms-sentence.tsx';
import { Button } from '#web/ui/button.tsx';
import type { IconName } from '#web/ui/icon.tsx';
import { StickyBar } from '#web/ui/page.tsx';
import { Stack } from '#web/ui/stack.tsx';

export type PayBarProps = { icon: IconName; isPaying: boolean; children: ReactNode };

/** The button that pays, with what pressing it accepts. */
export function PayBar({ icon, isPaying, children }: PayBarProps) {
  return (
    <StickyBar>
      <Stack gap="sm">
        <TermsSentence action="paying" />
        <Button type="submit" size="large" block icon={icon} isPending={isPaying} pendingText="Paying…">
          {children}
        </Button>
      </Stack>
    </StickyBar>
  );
}
