import { type ReactNode, useId } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { Form, type FormProps } from '#web/ui/form/form.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

type FormDialogProps = Pick<FormProps, 'startsFocused'> & {
  form: FormProps['form'] & { isPending: boolean };
  title: string;
  /** The text of the button, and its text while the form is sent. */
  submit: string;
  pendingText: string;
  problemTitle: string;
  onClose: () => void;
  children: ReactNode;
};

export function FormDialog(props: FormDialogProps) {
  const { form, title, submit, pendingText, problemTitle, startsFocused = true, onClose, children } = props;
  const formId = useId();
  return (
    <Modal
      title={title}
      onClose={onClose}
      canClose={!form.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={form.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isPending={form.isPending} pendingText={pendingText}>
            {submit}
          </Button>
        </>
      }
    >
      <Form form={form} id={formId} problemTitle={problemTitle} startsFocused={startsFocused}>
        {children}
      </Form>
    </Modal>
  );
}
