import { classes } from '../classes.ts';
import styles from './spinner.module.css';

export type SpinnerProps = { label?: string | undefined; size?: 'small' | 'medium' | 'large' | undefined };

/** Without a label it is decoration: something beside it must say what is going on. */
export function Spinner({ label, size = 'medium' }: SpinnerProps) {
  const wheel = <span className={classes(styles.spinner, styles[size])} aria-hidden="true" />;
  if (!label) return wheel;
  return (
    // A large one stands for the rest of its page.
    <output className={styles.labelled} data-on-its-way={size === 'large' ? '' : undefined}>
      {wheel}
      {label}
    </output>
  );
}
