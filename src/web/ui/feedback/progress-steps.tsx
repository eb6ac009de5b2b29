import { t } from '#web/language/texts.ts';
import { Icon } from '../icon.tsx';
import styles from './progress-steps.module.css';

type ProgressStepsProps = {
  label: string;
  steps: { id: string; label: string }[];
  current: string;
  /** Makes the steps that are done buttons. */
  onBack?: ((id: string) => void) | undefined;
};

export function ProgressSteps({ label, steps, current, onBack }: ProgressStepsProps) {
  const at = steps.findIndex((step) => step.id === current);
  return (
    <nav aria-label={label}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={styles.step}
            data-state={index < at ? 'done' : index === at ? 'current' : 'ahead'}
            aria-current={index === at ? 'step' : undefined}
          >
            {index < at && onBack ? (
              <button
                type="button"
                aria-label={t('Back to {step}', { step: step.label })}
                className={styles.back}
                onClick={() => onBack(step.id)}
              >
                <StepText index={index} label={step.label} isDone />
              </button>
            ) : (
              <StepText index={index} label={step.label} isDone={index < at} />
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function StepText({ index, label, isDone }: { index: number; label: string; isDone: boolean }) {
  return (
    <>
      <span className={styles.mark}>
        {isDone ? <Icon name="check" size="small" label={t('Done:')} /> : index + 1}
      </span>
      <span className={styles.label}>{label}</span>
    </>
  );
}
