import { type ReactNode, useEffect } from 'react';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { rich } from '#web/language/rich.ts';
import { strong } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import {
  acceptInvitation,
  declineInvitation,
  useInvitation,
  watchInvitation,
} from '#web/platform/install/invitation.ts';
import { isSignInRequired } from '#web/platform/session/session.ts';
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
      <Card title={t('Keep {brand} at hand', { brand: brand.name })}>
        {invitation === 'offer' ? <Offer brand={brand.name} /> : <ShareSteps brand={brand} />}
      </Card>
    </div>
  );
}

function Offer({ brand }: { brand: string }) {
  return (
    <Stack>
      <p>
        {t(
          isSignInRequired()
            ? 'Install {brand} on this device: your orders and trip cards open from the home screen, without a signal too.'
            : 'Install {brand} on this device: the tickets you buy here open from the home screen, without a signal too.',
          { brand },
        )}
      </p>
      <Cluster>
        <Button onClick={() => leave(acceptInvitation)}>{t('Install')}</Button>
        <Button variant="quiet" onClick={() => leave(declineInvitation)}>
          {t('No thanks')}
        </Button>
      </Cluster>
    </Stack>
  );
}

/** Browsers on iOS have no install prompt, so the steps are shown. */
function ShareSteps({ brand: { name, icon_url } }: Pick<WebSettings, 'brand'>) {
  const hasAccount = isSignInRequired();
  return (
    <Stack>
      <p>
        {hasAccount
          ? t('Put it on your home screen, and your orders and trip cards open without a signal too.')
          : t('Put it on your home screen, and sailings are one tap away.')}
      </p>
      <ol className={styles.steps}>
        <Step picture={<SharePicture />}>
          {rich(
            'Tap <strong>Share</strong>. If you do not see it, it is behind the <strong>•••</strong> button.',
            { strong },
          )}
        </Step>
        <Step picture={<AddPicture />}>
          {rich('Choose <strong>Add to Home Screen</strong>, then <strong>Add</strong>.', { strong })}
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
          {t(
            hasAccount
              ? 'Open {brand} there and sign in once. Type the 6-digit code from our email: its link opens the browser, not the app.'
              : 'Open {brand} there. Tickets you already have stay here in the browser, and in our email.',
            { brand: name },
          )}
        </Step>
      </ol>
      <Button variant="secondary" onClick={() => leave(declineInvitation)}>
        {t('Do not show this again')}
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
