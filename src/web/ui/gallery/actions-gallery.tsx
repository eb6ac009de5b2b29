import { useState } from 'react';
import { Badge, type BadgeTone } from '../feedback/badge.tsx';
import { Button, ButtonLink, type ButtonVariant, IconButton } from '../form/button.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { Icon, iconNames } from '../icon.tsx';
import { Card } from '../layout/card.tsx';
import { Cluster, Stack } from '../layout/stack.tsx';
import styles from './gallery.module.css';

const variants: ButtonVariant[] = ['primary', 'secondary', 'quiet', 'danger'];
const tones: BadgeTone[] = ['neutral', 'info', 'success', 'warning', 'danger', 'accent'];

export function ActionsGallery() {
  const [isPending, setIsPending] = useState(false);
  return (
    <>
      <Card title="Buttons">
        <Stack>
          <Cluster>
            {variants.map((variant) => (
              <Button key={variant} variant={variant}>
                {variant}
              </Button>
            ))}
          </Cluster>
          <Cluster>
            <Button size="small" variant="secondary">
              Small
            </Button>
            <Button disabled>Disabled</Button>
            <Button size="large" icon="card">
              Large
            </Button>
          </Cluster>
          <Button block isPending={isPending} pendingText="Paying…" onClick={() => setIsPending(true)}>
            Pay $184.50
          </Button>
          <Cluster>
            <Button isPending pendingText="Saving…">
              Save changes
            </Button>
            <Button variant="secondary" isPending>
              Resend
            </Button>
            <ButtonLink to="/orders" variant="secondary" icon="ticket">
              A link
            </ButtonLink>
            <IconButton icon="print" label="Print" variant="secondary" />
            <IconButton icon="close" label="Close" />
            <CopyButton text="K7M4-QXPA" label="Copy the reference" />
          </Cluster>
        </Stack>
      </Card>
      <Card title="Badges and icons">
        <Stack>
          <Cluster>
            {tones.map((tone) => (
              <Badge key={tone} tone={tone} icon={tone === 'success' ? 'check' : undefined}>
                {tone}
              </Badge>
            ))}
          </Cluster>
          <div className={styles.icons}>
            {iconNames.map((name) => (
              <Icon key={name} name={name} label={name} />
            ))}
          </div>
        </Stack>
      </Card>
    </>
  );
}
