import { Outlet, useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { useProfile } from '#web/platform/session/profile.ts';
import { useSession } from '#web/platform/session/session.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Menu } from '#web/ui/menu.tsx';
import { AppShell, ShellNav } from '#web/ui/page.tsx';
import styles from './portal-frame.module.css';

export function PortalFrame() {
  const { brand, contact } = useSettings();
  const { origins, provider } = pageConfig();
  const { isAuthenticated } = useSession();
  return (
    <AppShell
      brand={brand.name}
      homeTo={portalPages.orders}
      banner={provider.is_test ? 'Test payments: no real card is charged' : undefined}
      nav={isAuthenticated ? <PortalNav ticketsOrigin={origins.tickets} /> : undefined}
      actions={isAuthenticated ? <AccountMenu /> : <a href={origins.tickets}>Buy tickets</a>}
      footer={
        <p>
          Questions? Call <a href={phoneLink(contact.phone)}>{contact.phone}</a>, or write to{' '}
          <a href={`mailto:${contact.email}`}>{contact.email}</a>. {contact.booth_hours}
        </p>
      }
    >
      <Outlet />
    </AppShell>
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

function phoneLink(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`;
}
