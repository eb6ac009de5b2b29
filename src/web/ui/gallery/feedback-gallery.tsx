import { useState } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Notice, type NoticeType } from '../feedback/notice.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { NotificationList, type ToastNotification } from '../feedback/toasts.tsx';
import { Button } from '../form/button.tsx';
import { Card } from '../layout/card.tsx';
import { Cluster, Stack } from '../layout/stack.tsx';

const types: NoticeType[] = ['success', 'alert', 'warning', 'message'];

export function FeedbackGallery() {
  const [toasts, setToasts] = useState<ToastNotification[]>([]);

  function add(type: NoticeType) {
    const id = String(toasts.length);
    setToasts([
      ...toasts,
      { id, type, message: `Something to notice: ${type}.`, persistent: false, visible: true },
    ]);
  }

  function hide(id: string) {
    setToasts(toasts.map((toast) => (toast.id === id ? { ...toast, visible: false } : toast)));
  }

  return (
    <>
      <Stack gap="sm">
        <Notice type="success" title="Paid">
          Your tickets are on their way to maren@example.com.
        </Notice>
        <Notice type="alert" title="Your card was declined" onDismiss={() => undefined}>
          Try another card, or call your bank.
        </Notice>
        <Notice
          type="warning"
          title="You are offline"
          action={
            <Button size="small" variant="secondary">
              Try again
            </Button>
          }
        >
          Nothing was sent. Your places are still held.
        </Notice>
        <Notice>The 18:20 sails from pier 3 today.</Notice>
        <Cluster>
          {types.map((type) => (
            <Button key={type} size="small" variant="secondary" onClick={() => add(type)}>
              Toast: {type}
            </Button>
          ))}
        </Cluster>
        <NotificationList notifications={toasts} onDismiss={hide} />
      </Stack>
      <Card title="Waiting">
        <Stack>
          <Spinner label="Loading sailings…" />
          <Skeleton lines={3} />
          <Skeleton height="4rem" />
        </Stack>
      </Card>
      <EmptyState title="No orders yet" icon="ferry" action={<Button>Buy tickets</Button>}>
        Tickets you buy while signed in are kept here, also without network.
      </EmptyState>
    </>
  );
}
