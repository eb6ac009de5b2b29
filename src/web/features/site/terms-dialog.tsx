import type { ReactNode } from 'react';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

export function TermsDialog({ onClose, footer }: { onClose: () => void; footer: ReactNode }) {
  const { terms } = useSettings();
  return (
    <Modal size="lg" title="Terms of carriage" onClose={onClose} footer={footer}>
      <Stack>
        {terms.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </Stack>
    </Modal>
  );
}
