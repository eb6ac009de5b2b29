import type { ReactNode } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { Problem } from '../parts/problem.tsx';

type ConfirmDialogProps = {
  title: string;
  /** The label of the button that runs the action. */
  confirm: string;
  action: { run: () => void; isPending: boolean; problem: string | null };
  onClose: () => void;
  children: ReactNode;
};

export function ConfirmDialog({ title, confirm, action, onClose, children }: ConfirmDialogProps) {
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
          <Button variant="danger" isPending={action.isPending} onClick={() => action.run()}>
            {confirm}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{children}</p>
        <Problem text={action.problem} />
      </Stack>
    </Modal>
  );
}
