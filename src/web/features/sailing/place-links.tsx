import { terminalAddress, vesselAddress } from '#contract/place-pages.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import styles from './place-links.module.css';

/** The name of a boat, leading to its page. */
export function VesselLink({ name }: { name: string }) {
  return <PlaceLink address={vesselAddress(name)}>{name}</PlaceLink>;
}

/** Leads to the page of a port's terminal. */
export function TerminalLink({ code, children }: { code: string; children: string }) {
  return <PlaceLink address={terminalAddress(code)}>{children}</PlaceLink>;
}

/** On the ticket host, from either host. A new tab, because a purchase may be open in this one. */
function PlaceLink({ address, children }: { address: string; children: string }) {
  return (
    <a className={styles.link} href={pageConfig().origins.tickets + address} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
