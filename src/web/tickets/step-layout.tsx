import type { FormHTMLAttributes, ReactNode } from 'react';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './step-layout.module.css';

type PartProps = { children: ReactNode };

/** A step's heading, then its parts: one below the other, and in two columns on desktops. */
export function StepLayout({ children }: PartProps) {
  return <div className={styles.layout}>{children}</div>;
}

/** The same for a step whose main action sends a form. */
export function StepForm(props: Pick<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'children'>) {
  return <form noValidate {...props} className={styles.layout} />;
}

/** Stands beside the heading on desktops. */
export function StepStatus({ children }: PartProps) {
  return <div className={styles.status}>{children}</div>;
}

export function StepMain({ children }: PartProps) {
  return (
    <Stack gap="lg" className={styles.main}>
      {children}
    </Stack>
  );
}

/** What is bought, and the main action: beside the rest on desktops, where it stays in view. */
export function StepAside({ children }: PartProps) {
  return (
    <div className={styles.aside} data-aside="">
      {children}
    </div>
  );
}
