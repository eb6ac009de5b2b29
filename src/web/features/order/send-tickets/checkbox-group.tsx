import { Checkbox } from '#web/ui/form/checkbox.tsx';
import styles from './checkbox-group.module.css';

type CheckboxGroupProps<Value extends string> = {
  id: string;
  legend: string;
  options: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  error?: string | undefined;
  onChange: (chosen: Value[]) => void;
};

/** Options of which several may be chosen. */
export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { id, legend, options, chosen, error, onChange } = props;
  return (
    <fieldset className={styles.group} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>{legend}</legend>
      {options.map(({ value, label }, index) => (
        <Checkbox
          key={value}
          id={index === 0 ? id : undefined}
          label={<bdi>{label}</bdi>}
          checked={chosen.includes(value)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
          }
        />
      ))}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
