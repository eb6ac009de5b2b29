import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './ticket-frame.module.css';

type TicketFrameProps = {
  /** The strip along the top: operator, kind of ticket, status badge. */
  header?: ReactNode;
  children: ReactNode;
  /** Drawn black on white whatever the theme, above the perforation and what it stands for. */
  code?: ReactNode;
  codeCaption?: ReactNode;
  /** Used, cancelled or refunded: the ticket is greyed and its code struck out of reach. */
  isVoid?: boolean | undefined;
  voidText?: string | undefined;
};

export function TicketFrame({
  header,
  children,
  code,
  codeCaption,
  isVoid = false,
  voidText = 'Not valid',
}: TicketFrameProps) {
  return (
    <article className={classes(styles.ticket, isVoid && styles.void)}>
      <div className={classes(styles.head, Boolean(code) && styles.torn)}>
        {header && (
          <div className={styles.header}>
            <span className={styles.hole} aria-hidden="true" />
            {header}
          </div>
        )}
        {code && (
          <div className={styles.stub}>
            <div className={styles.code}>
              {code}
              {codeCaption && <div className={styles.caption}>{codeCaption}</div>}
            </div>
            {isVoid && <p className={styles.stamp}>{voidText}</p>}
          </div>
        )}
      </div>
      <div className={classes(styles.body, Boolean(code) && styles.tornOff)}>{children}</div>
    </article>
  );
}
