import { Outlet, useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { SiteFrame } from '#web/parts/site-frame.tsx';
import { pageConfig } from '#web/platform/page-config.ts';
import { useProfile } from '#web/platform/session/profile.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Menu } from '#web/ui/menu.tsx';
import { ShellNav } from '#web/ui/page.tsx';
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
    </SiteFrame>
  );
}

function PortalNav({ ticketsOrigin }: { ticketsOrigin: string }) {
  return (
    <ShellNav
      label="Account"
      items={[
        { to: portalPages.orders, label: 'My Orders', icon: 'ticket' },
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
      label={<span className={styles.name}>{name}</span>}
      accessibleLabel={customer.name ? `${customer.name}, account menu` : 'Account menu'}
      icon="person"
      items={[
        {
          id: 'sign-out',
          label: 'Sign out',
          icon: 'sign-out',
          onSelect: () => void navigate(portalPages.signOut),
        },
      ]}
    />
  );
}
