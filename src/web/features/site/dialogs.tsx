import { type ReactNode, useId } from 'react';
import { t } from '#web/language/texts.ts';
import { Button, type ButtonProps } from '#web/ui/form/button.tsx';
import { Form, type FormProps } from '#web/ui/form/form.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal, type ModalSize } from '#web/ui/popup/modal.tsx';
import { Problem } from './problem.tsx';

type DialogProps = {
  title: string;
  size?: ModalSize;
  /** The text of the button that leaves everything as it is. */
  cancel?: string;
  /** The text of the main button, and its text while the action is under way. */
  confirm: string;
  pendingText?: string;
  onClose: () => void;
  children: ReactNode;
};

type FormDialogProps = DialogProps &
  Pick<FormProps, 'startsFocused' | 'problemTitle'> & { form: FormProps['form'] & { isPending: boolean } };

/** A dialog whose main button sends a form. */
export function FormDialog(props: FormDialogProps) {
  const { form, problemTitle, startsFocused = true, children, ...dialog } = props;
  const formId = useId();
  return (
    <Dialog {...dialog} button={{ type: 'submit', form: formId, isPending: form.isPending }}>
      <Form form={form} id={formId} problemTitle={problemTitle} startsFocused={startsFocused}>
        {children}
      </Form>
    </Dialog>
  );
}

type ConfirmDialogProps = DialogProps & {
  action: { run: () => void; isPending: boolean; problem: string | null };
};

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ action, children, ...dialog }: ConfirmDialogProps) {
  const button = { variant: 'danger', isPending: action.isPending, onClick: () => action.run() } as const;
  return (
    <Dialog {...dialog} button={button}>
      <Stack>
        {children}
        <Problem text={action.problem} />
      </Stack>
    </Dialog>
  );
}

function Dialog(props: DialogProps & { button: ButtonProps }) {
  const { title, size, cancel = t('Cancel'), confirm, pendingText = t('One moment…') } = props;
  const { button, onClose, children } = props;
  const { isPending = false } = button;
  return (
    <Modal
      title={title}
      size={size}
      onClose={onClose}
      canClose={!isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={isPending} onClick={onClose}>
            {cancel}
          </Button>
          <Button {...button} pendingText={pendingText}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  );
}
