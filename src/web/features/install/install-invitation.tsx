import { type ReactNode, useEffect } from 'react';
import type { WebSettings } from '#contract/settings/schemas.ts';
import {
  acceptInvitation,
  declineInvitation,
  useInvitation,
  watchInvitation,
} from '#web/platform/install/invitation.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from './install-invitation.module.css';

/** Offers to install the app. */
export function InstallInvitation() {
  const invitation = useInvitation();
  const { brand } = useSettings();
  useEffect(watchInvitation, []);
  if (invitation === null) return null;
  return (
    <div data-no-print="">
      <Card title={`Keep ${brand.name} at hand`}>
        {invitation === 'offer' ? <Offer name={brand.name} /> : <ShareSteps brand={brand} />}
      </Card>
    </div>
  );
}

function Offer({ name }: { name: string }) {
  return (
    <Stack>
      <p>
        Install {name} on this device: {whatFor[pageConfig().host]}
      </p>
      <Cluster>
        <Button onClick={() => leave(acceptInvitation)}>Install</Button>
        <Button variant="quiet" onClick={() => leave(declineInvitation)}>
          No thanks
        </Button>
      </Cluster>
    </Stack>
  );
}

const whatFor = {
  portal: 'your orders and trip cards open from the home screen, without a signal too.',
  tickets: 'the tickets you buy here open from the home screen, without a signal too.',
} as const;

/** Browsers on iOS have no install prompt, so the steps are shown. */
function ShareSteps({ brand: { name, icon_url } }: Pick<WebSettings, 'brand'>) {
  const isPortal = pageConfig().host === 'portal';
  return (
    <Stack>
      <p>
        {isPortal
          ? 'Put it on your home screen, and your orders and trip cards open without a signal too.'
          : 'Put it on your home screen, and sailings are one tap away.'}
      </p>
      <ol className={styles.steps}>
        <Step picture={<SharePicture />}>
          Tap <strong>Share</strong>. If you do not see it, it is behind the <strong>•••</strong> button.
        </Step>
        <Step picture={<AddPicture />}>
          Choose <strong>Add to Home Screen</strong>, then <strong>Add</strong>.
        </Step>
        <Step
          picture={
            <img
              src={icon_url ?? '/apple-touch-icon.png'}
              alt=""
              width="44"
              height="44"
              className={styles.app}
            />
          }
        >
          {isPortal ? (
            <>
              Open {name} there and sign in once. Type the 6-digit code from our email: its link opens the
              browser, not the app.
            </>
          ) : (
            <>Open {name} there. Tickets you already have stay here in the browser, and in our email.</>
          )}
        </Step>
      </ol>
      <Button variant="secondary" onClick={() => leave(declineInvitation)}>
        Do not show this again
      </Button>
    </Stack>
  );
}

function Step({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <li className={styles.step}>
      <span className={styles.picture}>{picture}</span>
      <span>{children}</span>
    </li>
  );
}

function SharePicture() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M8 9.500H5.500v11h13v-11H16M12 14.500v-12M8.500 6 12 2.500 15.500 6" />
    </svg>
  );
}

function AddPicture() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d="M7 3.500h10a3.500 3.500 0 0 1 3.500 3.500v10a3.500 3.500 0 0 1-3.500 3.500H7A3.500 3.500 0 0 1 3.500 17V7A3.500 3.500 0 0 1 7 3.500M12 8v8M8 12h8" />
    </svg>
  );
}

/** Moves the focus first, because the button disappears with the card. */
function leave(by: () => unknown): void {
  document.querySelector('main')?.focus({ preventScroll: true });
  void by();
}
