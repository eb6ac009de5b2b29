import { Outlet, useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { message } from '#messages/translate.ts';
import { SiteFrame } from '#web/features/site/site-frame.tsx';
import { t } from '#web/language/texts.ts';
import { useProfile } from '#web/platform/account/profile.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSession } from '#web/platform/session/session.ts';
import { ShellNav } from '#web/ui/layout/shell-nav.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';
import { StepUpHost } from './identity/step-up/step-up-host.tsx';
import styles from './portal-frame.module.css';

export function PortalFrame() {
  const { origins } = pageConfig();
  const { isAuthenticated } = useSession();
  return (
    <SiteFrame
      homeTo={portalPages.orders}
      nav={isAuthenticated ? <PortalNav ticketsOrigin={origins.tickets} /> : undefined}
      actions={isAuthenticated ? <AccountMenu /> : <a href={origins.tickets}>{t('Buy tickets')}</a>}
    >
      <Outlet />
      <StepUpHost />
    </SiteFrame>
  );
}

function PortalNav({ ticketsOrigin }: { ticketsOrigin: string }) {
  return (
    <ShellNav
      label={t('Account')}
      items={[
        { to: portalPages.orders, label: t('My Orders|a tab'), icon: 'ticket' },
        { to: portalPages.tripCards, label: t('Trip Cards|a tab'), icon: 'trip-card' },
        { to: portalPages.account, label: t('Account'), icon: 'person' },
        { to: portalPages.security, label: t('Security'), icon: 'shield' },
        { to: portalPages.paymentMethods, label: t('Payment'), icon: 'card' },
        { to: `${ticketsOrigin}/`, label: t('Buy tickets|a tab'), icon: 'ferry' },
      ]}
    />
  );
}

function AccountMenu() {
  const { customer } = useProfile();
  const navigate = useNavigate();
  const name = customer.name || t('Account');
  return (
    <Menu
      label={
        <span className={styles.name} data-paint={t('Account')}>
          {name}
        </span>
      }
      accessibleLabel={customer.name ? t('{name}, account menu', { name: customer.name }) : t('Account menu')}
      icon="person"
      items={ACCOUNT_MENU.map(({ to, label, icon }) => ({
        id: to,
        label: t(label),
        icon,
        onSelect: () => void navigate(to),
      }))}
    />
  );
}

const ACCOUNT_MENU = [
  { to: portalPages.account, label: message('My Account'), icon: 'person' },
  { to: portalPages.security, label: message('Password & Security'), icon: 'shield' },
  { to: portalPages.paymentMethods, label: message('Payment Methods'), icon: 'card' },
  { to: portalPages.signOut, label: message('Sign out'), icon: 'sign-out' },
] as const;
