import { useRef } from 'react';
import { NavLink } from 'react-router';
import { Icon, type IconName } from '../icon.tsx';
import styles from './shell-nav.module.css';
import './side-nav.css';
import { useHeightLimit } from './sticky-bar.tsx';

type ShellNavProps = { label: string; items: { to: string; label: string; icon: IconName }[] };

/** Tabs along the bottom edge on phones, a row below the header on tablets, a column beside the page on desktops. */
export function ShellNav({ label, items }: ShellNavProps) {
  const bar = useRef<HTMLElement>(null);
  useHeightLimit(bar);
  return (
    <nav ref={bar} aria-label={label} className={`side-nav ${styles.nav}`} data-tab-bar="">
      <ul className={`side-nav-links ${styles.tabs}`}>
        {items.map((item) => (
          <li key={item.to}>
            <NavLink to={item.to} className={() => `side-nav-link ${styles.tab}`}>
              <Icon name={item.icon} />
              <span>{item.label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
