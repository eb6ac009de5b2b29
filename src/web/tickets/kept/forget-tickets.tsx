import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { forgetKeptOrders } from './kept-orders.ts';

/** For a device that others use too. */
export function ForgetTickets({ onForgotten }: { onForgotten?: () => void }) {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: () => forgetKeptOrders(client),
    ...(onForgotten === undefined ? {} : { onSuccess: onForgotten }),
  });
  if (forget.isSuccess) {
    return (
      <Notice type="success" role="status">
        Your tickets are no longer kept on this device. The link in our email opens them again.
      </Notice>
    );
  }
  return (
    <Stack gap="sm">
      <p>
        Your tickets stay here until the crossing is over, and open without a connection too. Anybody who uses
        this browser can open them.
      </p>
      {forget.isError && (
        <Notice type="alert" role="alert">
          This browser’s storage does not answer. Try again, or clear this site’s data in the browser’s
          settings.
        </Notice>
      )}
      <p>
        <Button
          variant="secondary"
          size="small"
          isPending={forget.isPending}
          pendingText="Removing…"
          onClick={() => forget.mutate()}
        >
          Remove from this device
        </Button>
      </p>
    </Stack>
  );
}
