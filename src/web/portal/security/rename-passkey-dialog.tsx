import { type FormEvent, useId, useState } from 'react';
import { renamePasskey } from '#contract/security/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { Passkey } from '#web/platform/api/types.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { Problem } from '../parts/problem.tsx';
import { useFirstFocus } from '../step-up/use-first-focus.ts';
import { useOwnerAction } from './use-owner-action.ts';

type RenamePasskeyDialogProps = { passkey: Passkey; onClose: () => void };

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const formId = useId();
  const [name, setName] = useState(passkey.name);
  const [isMissing, setIsMissing] = useState(false);
  const field = useFirstFocus<HTMLInputElement>();
  const rename = useOwnerAction(
    (to: string) => request(renamePasskey, { params: { id: passkey.id }, body: { name: to } }),
    { onDone: onClose },
  );

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsMissing(name.trim() === '');
    if (name.trim() === '') field.current?.focus();
    else rename.run(name.trim());
  }

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
          <Button type="submit" form={formId} isPending={rename.isPending} pendingText="Saving…">
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={handleSubmit}>
        <Stack>
          <Problem text={rename.problem} />
          <TextField
            ref={field}
            label="Name"
            hint="A name you will recognize, like “Work laptop”."
            autoComplete="off"
            maxLength={60}
            value={name}
            error={isMissing ? 'Enter a name.' : undefined}
            onChange={(event) => setName(event.target.value)}
          />
        </Stack>
      </form>
    </Modal>
  );
}
