import { type FormEvent, type ReactNode, useId } from 'react';
import { ProblemList } from '#web/portal/forms/use-problems.tsx';
import { Button } from '#web/ui/form/button.tsx';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

type FormDialogProps = {
  title: string;
  /** What the button that does it says, and while it does. */
  submit: string;
  pendingText: string;
  isPending: boolean;
  /** What stands above the problems: "The card was not added". */
  problemTitle: string;
  errors: FieldError[];
  formProblem: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
};

export function FormDialog(props: FormDialogProps) {
  const { title, submit, pendingText, isPending, problemTitle, errors, formProblem, onSubmit, onClose } =
    props;
  const formId = useId();

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (!isPending) onSubmit();
  }

  return (
    <Modal
      title={title}
      onClose={onClose}
      canClose={!isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isPending={isPending} pendingText={pendingText}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <Stack>
          <ProblemList title={problemTitle} errors={errors} form={formProblem} />
          {props.children}
        </Stack>
      </form>
    </Modal>
  );
}
