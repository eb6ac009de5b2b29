import { useId } from 'react';
import { renamePasskey } from '#contract/security/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { Passkey } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { useReloadSecurity } from './use-security-action.ts';

type RenamePasskeyDialogProps = { passkey: Passkey; onClose: () => void };

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const formId = useId();
  const form = useForm({
    initial: { name: passkey.name },
    check: ({ name }): { name?: string } => (name.trim() === '' ? { name: MESSAGES.label } : {}),
    send: ({ name }) => request(renamePasskey, { params: { id: passkey.id }, body: { name: name.trim() } }),
    onDone: onClose,
    onSettled: useReloadSecurity(),
  });
  return (
    <Modal
      title="Rename passkey"
      size="sm"
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} isPending={form.isPending} pendingText="Saving…">
            Save
          </Button>
        </>
      }
    >
      <Form form={form} id={formId} startsFocused>
        <TextField
          {...form.input('name')}
          label="Name"
          hint="A name you will recognize, like “Work laptop”."
          autoComplete="off"
          maxLength={60}
        />
      </Form>
    </Modal>
  );
}
