import { type FormHTMLAttributes, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useIsFirstScreen } from '#web/platform/router/first-screen.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './step-layout.module.css';

type SectionProps = { children: ReactNode };

/** One column, or two on desktops. */
export function StepLayout({ children }: SectionProps) {
  return <div className={styles.layout}>{children}</div>;
}

/** The same for a step whose main action submits a form. */
export function StepForm(props: Pick<FormHTMLAttributes<HTMLFormElement>, 'onSubmit' | 'children'>) {
  return <form noValidate {...props} className={styles.layout} />;
}

type StepHeadingProps = SectionProps & { intro?: ReactNode; notices?: ReactNode };

/** Takes the focus, except on the first page of the visit. */
export function StepHeading({ children, intro, notices }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirstScreen = useIsFirstScreen();
  const takeFocus = useEffectEvent(() => {
    if (!isFirstScreen) heading.current?.focus({ preventScroll: true });
  });
  useEffect(() => takeFocus(), []);
  return (
    <Stack as="header" gap="xs">
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {intro && <div className={styles.intro}>{intro}</div>}
      {notices}
    </Stack>
  );
}

/** Beside the heading on desktops. */
export function StepStatus({ children }: SectionProps) {
  return <div className={styles.status}>{children}</div>;
}

export function StepMain({ children }: SectionProps) {
  return (
    <Stack gap="lg" className={styles.main}>
      {children}
    </Stack>
  );
}

/** The summary and the main action: sticky beside the rest on desktops. */
export function StepAside({ children }: SectionProps) {
  return <div className={styles.aside}>{children}</div>;
}
