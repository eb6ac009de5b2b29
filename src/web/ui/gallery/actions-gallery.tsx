import { Badge, type BadgeTone } from '../feedback/badge.tsx';
import { Button, ButtonLink, type ButtonVariant, IconButton } from '../form/button.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { Icon, iconNames } from '../icon.tsx';
import { ActionList } from '../layout/action-list.tsx';
import { Card } from '../layout/card.tsx';
import { Disclosure } from '../layout/disclosure.tsx';
import { Cluster, Stack } from '../layout/stack.tsx';
import styles from './gallery.module.css';
import { specimens } from './specimen.tsx';

const variants: ButtonVariant[] = ['primary', 'secondary', 'quiet', 'danger'];
const tones: BadgeTone[] = ['neutral', 'info', 'success', 'warning', 'danger', 'accent'];

const actions = (
  <>
    <Button variant="quiet" block icon="calendar">
      Add to calendar
    </Button>
    <Button variant="quiet" block icon="mail" isPending pendingText="Sending…">
      Send again
    </Button>
    <Disclosure icon="info" summary="Wrong address?">
      Ask for another one.
    </Disclosure>
    <ButtonLink variant="quiet" block icon="swap" to="#main">
      Change order
    </ButtonLink>
  </>
);

export function ActionsGallery() {
  return (
    <>
      <Card title="Buttons">
        <Stack>
          <Cluster>
            <Button size="small" variant="secondary">
              Small
            </Button>
            <Button>Medium</Button>
            <Button size="large" icon="card">
              Large
            </Button>
          </Cluster>
          <Button block isPending pendingText="Paying…">
            Pay $184.50
          </Button>
          <Cluster>
            <Button variant="secondary" isPending>
              Resend
            </Button>
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
      {variants.map((variant) =>
        specimens(`Button, ${variant}`, Button, {
          all: { variant, children: 'Pay' },
          Default: {},
          Hover: { shown: 'hover' },
          Focus: { shown: 'focus' },
          Pressed: { shown: 'active' },
          Disabled: { disabled: true },
          Busy: { isPending: true, pendingText: 'Paying…' },
          'Long text': {
            icon: 'card',
            children: 'Change this sailing and pay the difference of $1,184.50',
          },
        }),
      )}
      {specimens('List of actions', ActionList, {
        all: { label: 'What you can do', children: actions },
        // Landmarks on one page need names of their own.
        Focus: { label: 'Actions, focus', shown: 'focus' },
        Hover: { label: 'Actions, hover', shown: 'hover' },
        'Disclosure, open': {
          label: 'Actions, disclosure',
          children: (
            <>
              <p className="note">Tickets sent to ada@example.com.</p>
              <Disclosure icon="info" summary="Wrong address?" open>
                Ask for another one.
              </Disclosure>
            </>
          ),
        },
        'Long text': {
          label: 'Actions, long text',
          children: (
            <Button variant="quiet" block icon="mail">
              Send the email with the tickets of both crossings and the receipt again
            </Button>
          ),
        },
      })}
      <section className={styles.specimens}>
        <h3>List of actions, side by side</h3>
        <div className={styles.specimen}>
          <ActionList label="What you can do">{actions}</ActionList>
        </div>
      </section>
      {specimens('Icon button', IconButton, {
        all: { icon: 'print', label: 'Print', variant: 'secondary' },
        Default: {},
        Hover: { shown: 'hover' },
        Focus: { shown: 'focus' },
        Disabled: { disabled: true },
      })}
      {specimens('Link as a button', ButtonLink, {
        all: { to: '/orders', variant: 'secondary', icon: 'ticket', children: 'My orders' },
        Default: {},
        Focus: { shown: 'focus' },
      })}
    </>
  );
}
