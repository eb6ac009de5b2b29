import type { ReactNode } from 'react';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Modal } from '#web/ui/modal.tsx';
import { Stack } from '#web/ui/stack.tsx';

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
