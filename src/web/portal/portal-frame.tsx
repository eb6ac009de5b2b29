import { Outlet, useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { SiteFrame } from '#web/features/site/site-frame.tsx';
import { useProfile } from '#web/platform/account/profile.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useSession } from '#web/platform/session/session.ts';
import { ShellNav } from '#web/ui/layout/page.tsx';
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
      actions={isAuthenticated ? <AccountMenu /> : <a href={origins.tickets}>Buy tickets</a>}
    >
      <Outlet />
      <StepUpHost />
    </SiteFrame>
  );
}

function PortalNav({ ticketsOrigin }: { ticketsOrigin: string }) {
  return (
    <ShellNav
      label="Account"
      items={[
        { to: portalPages.orders, label: 'My Orders', icon: 'ticket' },
        { to: portalPages.tripCards, label: 'Trip Cards', icon: 'trip-card' },
        { to: portalPages.account, label: 'Account', icon: 'person' },
        { to: portalPages.security, label: 'Security', icon: 'shield' },
        { to: portalPages.paymentMethods, label: 'Payment', icon: 'card' },
        { to: `${ticketsOrigin}/`, label: 'Buy tickets', icon: 'ferry' },
      ]}
    />
  );
}

function AccountMenu() {
  const { customer } = useProfile();
  const navigate = useNavigate();
  const name = customer.name || 'Account';
  return (
    <Menu
      label={
        <span className={styles.name} data-paint="Account">
          {name}
        </span>
      }
      accessibleLabel={customer.name ? `${customer.name}, account menu` : 'Account menu'}
      icon="person"
      items={ACCOUNT_MENU.map(({ to, ...item }) => ({ ...item, id: to, onSelect: () => void navigate(to) }))}
    />
  );
}

const ACCOUNT_MENU = [
  { to: portalPages.account, label: 'My Account', icon: 'person' },
  { to: portalPages.security, label: 'Password & Security', icon: 'shield' },
  { to: portalPages.paymentMethods, label: 'Payment Methods', icon: 'card' },
  { to: portalPages.signOut, label: 'Sign out', icon: 'sign-out' },
] as const;
