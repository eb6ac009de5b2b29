import { useState } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { Notice, type NoticeType } from '../feedback/notice.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Spinner } from '../feedback/spinner.tsx';
import { NotificationList, type ToastNotification } from '../feedback/toasts.tsx';
import { Button, IconButton } from '../form/button.tsx';
import { TextField } from '../form/field.tsx';
import { Card } from '../layout/card.tsx';
import { Cluster, Stack } from '../layout/stack.tsx';
import { Menu } from '../popup/menu.tsx';
import { Modal, type ModalSize, modalSizes } from '../popup/modal.tsx';
import { FullScreenOverlay } from '../popup/overlay.tsx';
import { Popover } from '../popup/popover.tsx';
import { Tooltip } from '../popup/tooltip.tsx';

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

type OverlayKind = 'lost' | 'gave-up' | 'restored' | 'docked';
const overlayKinds: OverlayKind[] = ['lost', 'gave-up', 'restored', 'docked'];

export function PopupsGallery() {
  const [size, setSize] = useState<ModalSize | null>(null);
  const [overlay, setOverlay] = useState<OverlayKind | null>(null);
  return (
    <>
      <Card title="Beside something">
        <Cluster gap="lg">
          <Tooltip text="Print this order">
            <IconButton icon="print" label="Print" variant="secondary" />
          </Tooltip>
          <Popover label="High lane">
            For vehicles above 2.10 m. Measured with everything on the roof.
          </Popover>
          <Menu
            label="More"
            icon="more"
            items={[
              { id: 'print', label: 'Print', icon: 'print', onSelect: () => undefined },
              { id: 'change', label: 'Change sailing', icon: 'swap', onSelect: () => undefined },
              { id: 'refund', label: 'Refund', icon: 'close', isDanger: true, onSelect: () => undefined },
            ]}
          />
        </Cluster>
      </Card>
      <Card title="Modals">
        <Cluster>
          {modalSizes.map((each) => (
            <Button key={each} size="small" variant="secondary" onClick={() => setSize(each)}>
              {each}
            </Button>
          ))}
        </Cluster>
      </Card>
      <Card title="Connection overlay">
        <Cluster>
          {overlayKinds.map((kind) => (
            <Button key={kind} size="small" variant="secondary" onClick={() => setOverlay(kind)}>
              {kind}
            </Button>
          ))}
        </Cluster>
      </Card>
      {size && <SampleModal size={size} onClose={() => setSize(null)} />}
      {overlay && <SampleOverlay kind={overlay} onClose={() => setOverlay(null)} />}
    </>
  );
}

function SampleModal({ size, onClose }: { size: ModalSize; onClose: () => void }) {
  return (
    <Modal
      size={size}
      title="Remove this card?"
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep it
          </Button>
          <Button variant="danger" onClick={onClose}>
            Remove card
          </Button>
        </>
      }
    >
      <Stack>
        <p>Visa ending 4242 will no longer be offered when you pay.</p>
        <TextField label="Why" isOptional />
      </Stack>
    </Modal>
  );
}

function SampleOverlay({ kind, onClose }: { kind: OverlayKind; onClose: () => void }) {
  const isRestored = kind === 'restored';
  return (
    <FullScreenOverlay
      title={isRestored ? 'Connection Restored' : 'Connection Lost'}
      text={
        isRestored
          ? "We're able to connect to the server again. Please reload the page."
          : "We're unable to connect to the server right now."
      }
      isBusy={kind === 'lost' || kind === 'docked'}
      busyText="Attempting to reconnect to the server…"
      docked={kind === 'docked'}
      action={
        <>
          {(isRestored || kind === 'gave-up') && <Button onClick={onClose}>Reload Page</Button>}
          {kind !== 'gave-up' && (
            <Button variant="secondary" onClick={onClose}>
              {isRestored ? 'Keep working' : 'Close the sample'}
            </Button>
          )}
        </>
      }
    />
  );
}
