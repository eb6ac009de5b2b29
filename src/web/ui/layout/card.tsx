import type { ElementType, HTMLAttributes, ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './card.module.css';

type CardProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  as?: ElementType | undefined;
  title?: ReactNode;
  action?: ReactNode;
  tone?: 'plain' | 'sunken' | 'highlight' | undefined;
};

/** A link inside it with `data-card-link` makes the whole card its target. */
export function Card({
  as: Element = 'section',
  title,
  action,
  tone = 'plain',
  className,
  children,
  ...rest
}: CardProps) {
  return (
    <Element {...rest} className={classes(styles.card, styles[tone], className)}>
      {(title || action) && (
        <header className={styles.header}>
          {title && <h2 className={styles.title}>{title}</h2>}
          {action}
        </header>
      )}
      {children}
    </Element>
  );
}
