import { classes } from '../classes.ts';
import styles from './spinner.module.css';

type SpinnerProps = { label?: string; size?: 'small' | 'large' };

/** Decoration unless it has a label. */
export function Spinner({ label, size }: SpinnerProps) {
  const wheel = <span className={classes(styles.spinner, size && styles[size])} aria-hidden="true" />;
  if (!label) return wheel;
  return (
    // A large one takes the place of the rest of its page.
    <output className={styles.labelled} data-on-its-way={size === 'large' ? '' : undefined}>
      {wheel}
      {label}
    </output>
  );
}
