import type { ElementType, HTMLAttributes, ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './stack.module.css';

export type Gap = 'sm' | 'md' | 'lg';

type LayoutProps = HTMLAttributes<HTMLElement> & { as?: ElementType | undefined; gap?: Gap | undefined };

export type StackProps = LayoutProps;

/** One below the other. */
export function Stack({ as: Element = 'div', gap = 'md', className, ...rest }: StackProps) {
  return <Element {...rest} className={classes(styles.stack, styles[`gap-${gap}`], className)} />;
}

export type GridProps = LayoutProps;

/** Cards of equal width, as many in a row as fit. */
export function Grid({ as: Element = 'div', gap = 'md', className, ...rest }: GridProps) {
  return <Element {...rest} className={classes(styles.grid, styles[`gap-${gap}`], className)} />;
}

export type ColumnsProps = LayoutProps & { aside: ReactNode };

/** The content of a screen, with what belongs to it beside it on wide screens and below it elsewhere. */
export function Columns({
  as: Element = 'div',
  gap = 'lg',
  className,
  children,
  aside,
  ...rest
}: ColumnsProps) {
  return (
    <Element {...rest} className={classes(styles.columns, styles[`gap-${gap}`], className)}>
      <Stack gap={gap}>{children}</Stack>
      {aside}
    </Element>
  );
}

export type ClusterProps = LayoutProps & {
  justify?: 'start' | 'between' | 'center' | undefined;
  align?: 'center' | 'baseline' | undefined;
};

/** Side by side, wrapping when there is no room. */
export function Cluster({
  as: Element = 'div',
  gap = 'sm',
  justify = 'start',
  align = 'center',
  className,
  ...rest
}: ClusterProps) {
  return (
    <Element
      {...rest}
      className={classes(
        styles.cluster,
        styles[`gap-${gap}`],
        styles[`justify-${justify}`],
        styles[`align-${align}`],
        className,
      )}
    />
  );
}
