import { type ReactNode, useRef } from 'react';
import { Link, NavLink } from 'react-router';
import { Icon, type IconName } from '../icon.tsx';
import styles from './page.module.css';
import { useHeightLimit } from './sticky-bar.tsx';

type AppShellProps = {
  brand: ReactNode;
  /** Address of the operator's logo; without one the header shows a pennant in the accent color. */
  logo?: string | undefined;
  homeTo: string;
  /** A strip above everything, such as "Test payments". */
  banner?: ReactNode;
  nav?: ReactNode;
  /** To the right in the header: sign in, an account menu. */
  actions?: ReactNode;
  /** Links above the footer's text. */
  footerLinks?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

export function AppShell(props: AppShellProps) {
  const { brand, logo, homeTo, banner, nav, actions, footerLinks, footer, children } = props;
  return (
    <div className={styles.shell}>
      <header className={styles.header}>
        <a href="#main" className={styles.skip}>
          Skip to content
        </a>
        {banner && <div className={styles.banner}>{banner}</div>}
        <div className={styles.headerRow}>
          <Link to={homeTo} className={styles.brand}>
            {logo ? (
              <img src={logo} alt="" className={styles.logo} />
            ) : (
              <span className={styles.pennant} aria-hidden="true" />
            )}
            {brand}
          </Link>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      </header>
      <div className={styles.body}>
        {nav}
        <main id="main" tabIndex={-1} className={styles.main}>
          {children}
        </main>
      </div>
      <footer className={styles.footer}>
        <p className={styles.footerLinks}>{footerLinks}</p>
        {footer}
      </footer>
    </div>
  );
}

type ShellNavProps = { label: string; items: { to: string; label: string; icon: IconName }[] };

/** Tabs along the bottom edge on phones, a row below the header on tablets, a column beside the page on desktops. */
export function ShellNav({ label, items }: ShellNavProps) {
  const bar = useRef<HTMLElement>(null);
  useHeightLimit(bar);
  return (
    <nav ref={bar} aria-label={label} className={styles.nav} data-tab-bar="">
      <ul className={styles.tabs}>
        {items.map((item) => (
          <li key={item.to}>
            <NavLink to={item.to} className={() => styles.tab}>
              <Icon name={item.icon} />
              <span>{item.label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type PageHeaderProps = {
  title: ReactNode;
  intro?: ReactNode;
  action?: ReactNode;
  back?: { to: string; label: string } | undefined;
};

export function PageHeader({ title, intro, action, back }: PageHeaderProps) {
  return (
    <div className={styles.pageHeader}>
      {back && (
        <Link to={back.to} className={styles.back}>
          <Icon name="chevron-left" size="small" />
          {back.label}
        </Link>
      )}
      <div className={styles.titleRow}>
        <h1 className={styles.title}>{title}</h1>
        {action}
      </div>
      {intro && <p className={styles.intro}>{intro}</p>}
    </div>
  );
}
