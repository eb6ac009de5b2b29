import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './ticket-frame.module.css';

type TicketFrameProps = {
  /** The strip along the top: operator, kind of ticket, status badge. */
  header?: ReactNode;
  children: ReactNode;
  /** Black on white in any theme, below the perforation. */
  code?: ReactNode;
  codeCaption?: ReactNode;
  /** Used, canceled or refunded: greyed, and its code cannot be scanned. */
  isVoid: boolean;
  voidText: string;
};

export function TicketFrame({ header, children, code, codeCaption, isVoid, voidText }: TicketFrameProps) {
  return (
    <article className={classes(styles.ticket, isVoid && styles.void)}>
      <div className={classes(styles.main, Boolean(code) && styles.torn)}>
        {header && (
          <div className={styles.header}>
            <span className={styles.hole} aria-hidden="true" />
            {header}
          </div>
        )}
        <div className={styles.body}>{children}</div>
      </div>
      {code && (
        <div className={classes(styles.stub, styles.tornOff)}>
          <div className={styles.code}>
            {code}
            {codeCaption && <div className={styles.caption}>{codeCaption}</div>}
          </div>
          {isVoid && <p className={styles.stamp}>{voidText}</p>}
        </div>
      )}
    </article>
  );
}
