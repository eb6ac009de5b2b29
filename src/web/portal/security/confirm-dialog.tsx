import type { ReactNode } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { Problem } from '../parts/problem.tsx';

type ConfirmDialogProps = {
  title: string;
  /** What the button that does it says. */
  confirm: string;
  isPending: boolean;
  problem: string | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirm, isPending, problem, onConfirm, onClose, children } = props;
  return (
    <Modal
      title={title}
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" isPending={isPending} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{children}</p>
        <Problem text={problem} />
      </Stack>
    </Modal>
  );
}
