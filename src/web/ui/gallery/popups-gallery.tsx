import { useState } from 'react';
import { Button, IconButton } from '../form/button.tsx';
import { TextField } from '../form/field.tsx';
import { Card } from '../layout/card.tsx';
import { Cluster, Stack } from '../layout/stack.tsx';
import { Menu } from '../popup/menu.tsx';
import { Modal, type ModalSize, modalSizes } from '../popup/modal.tsx';
import { FullScreenOverlay } from '../popup/overlay.tsx';
import { Popover } from '../popup/popover.tsx';
import { Tooltip } from '../popup/tooltip.tsx';

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
  if (kind === 'restored') {
    return (
      <FullScreenOverlay
        title="Connection Restored"
        text="We're able to connect to the server again. Please reload the page."
        action={
          <>
            <Button onClick={onClose}>Reload Page</Button>
            <Button variant="secondary" onClick={onClose}>
              Keep working
            </Button>
          </>
        }
      />
    );
  }
  return (
    <FullScreenOverlay
      title="Connection Lost"
      text="We're unable to connect to the server right now."
      isBusy={kind !== 'gave-up'}
      busyText="Attempting to reconnect to the server…"
      docked={kind === 'docked'}
      action={
        <Button onClick={onClose} variant={kind === 'gave-up' ? 'primary' : 'secondary'}>
          {kind === 'gave-up' ? 'Reload Page' : 'Close the sample'}
        </Button>
      }
    />
  );
}
