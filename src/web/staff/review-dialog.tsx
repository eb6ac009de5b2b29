import type { ReactNode } from 'react';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal, type ModalSize } from '#web/ui/popup/modal.tsx';

type ReviewDialogProps = {
  title: string;
  confirm: string;
  isDangerous?: boolean;
  size?: ModalSize;
  action: { run: () => void; isPending: boolean; problem: string | null };
  onBack: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** What an action will do, before it is done. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, confirm, isDangerous = false, size, action, onBack, onClose, children } = props;
  return (
    <Modal
      title={title}
      size={size}
      onClose={onClose}
      canClose={!action.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={action.isPending} onClick={onBack}>
            {t('Back')}
          </Button>
          <Button
            variant={isDangerous ? 'danger' : undefined}
            needsConnection
            isPending={action.isPending}
            pendingText={t('One moment…')}
            onClick={() => action.run()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <Stack>
        <Problem text={action.problem} />
        {children}
      </Stack>
    </Modal>
  );
}
