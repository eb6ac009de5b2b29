import { useState } from 'react';
import { exportCustomer } from '#contract/accounts/endpoints.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { requestVerbatim } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Problem } from '../parts/problem.tsx';
import { saveFile } from '../parts/save-file.ts';
import { DeleteDialog } from './delete-dialog.tsx';

const EXPORT_TIMEOUT = 30_000;

export function YourDataCard() {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Card title="Your data">
      <Stack gap="lg">
        <Download />
        <Stack gap="sm">
          <p>Deleting your account removes your data. Your tickets stay valid.</p>
          <div>
            <Button variant="secondary" onClick={() => setIsDeleting(true)}>
              Delete my account
            </Button>
          </div>
        </Stack>
      </Stack>
      {isDeleting && <DeleteDialog onClose={() => setIsDeleting(false)} />}
    </Card>
  );
}

function Download() {
  const download = useAction(() => requestVerbatim(exportCustomer, { timeoutMs: EXPORT_TIMEOUT }), {
    onDone: (data) => {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`my-data-${day}.json`, 'application/json', JSON.stringify(data, null, 2));
    },
    explain: errorText,
  });
  return (
    <Stack gap="sm">
      <p>Your details, orders and sign-ins in one file.</p>
      <Problem text={download.problem} />
      {download.isDone && (
        <Notice type="success" role="status">
          Your file is in your downloads.
        </Notice>
      )}
      <div>
        <Button
          variant="secondary"
          icon="download"
          isPending={download.isPending}
          pendingText="Preparing…"
          onClick={() => download.run()}
        >
          Download my data
        </Button>
      </div>
    </Stack>
  );
}
