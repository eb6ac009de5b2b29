import type { ElementType, HTMLAttributes, ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './card.module.css';

export type CardProps = Omit<HTMLAttributes<HTMLElement>, 'title'> & {
  as?: ElementType | undefined;
  title?: ReactNode;
  titleAs?: ElementType | undefined;
  action?: ReactNode;
  tone?: 'plain' | 'sunken' | 'accent' | undefined;
};

/** A link inside it with `data-card-link` makes the whole card its target. */
export function Card({
  as: Element = 'section',
  title,
  titleAs: Title = 'h2',
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
          {title && <Title className={styles.title}>{title}</Title>}
          {action}
        </header>
      )}
      {children}
    </Element>
  );
}
