import type { ElementType, HTMLAttributes } from 'react';
import { classes } from '../classes.ts';
import styles from './stack.module.css';

type LayoutProps = HTMLAttributes<HTMLElement> & {
  as?: ElementType | undefined;
  gap?: 'xs' | 'sm' | 'md' | 'lg' | undefined;
};

/** One below the other. */
export function Stack({ as: Element = 'div', gap = 'md', className, ...rest }: LayoutProps) {
  return <Element {...rest} className={classes(styles.stack, styles[gap], className)} />;
}

/** Cards of equal width, as many in a row as fit. */
export function Grid({ as: Element = 'div', gap = 'md', className, ...rest }: LayoutProps) {
  return <Element {...rest} className={classes(styles.grid, styles[gap], className)} />;
}

type ClusterProps = LayoutProps & {
  justify?: 'between' | 'center' | undefined;
  align?: 'center' | 'baseline' | undefined;
};

/** Side by side, wrapping when there is no room. */
export function Cluster({
  as: Element = 'div',
  gap = 'sm',
  justify,
  align = 'center',
  className,
  ...rest
}: ClusterProps) {
  return (
    <Element
      {...rest}
      className={classes(
        styles.cluster,
        styles[gap],
        justify && styles[`justify-${justify}`],
        styles[`align-${align}`],
        className,
      )}
    />
  );
}
