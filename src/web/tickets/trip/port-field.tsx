import { Suspense, startTransition, useEffect, useState } from 'react';
import type { Catalogue } from '#web/platform/api/types.ts';
import { whenIdle } from '#web/platform/next-task.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { classes } from '#web/ui/classes.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './port-field.module.css';

export type PortFieldProps = {
  id?: string | undefined;
  label: string;
  error?: string | undefined;
  ports: Catalogue['ports'];
  /** Ids that only a journey with a change reaches. */
  byChange?: ReadonlySet<string> | undefined;
  value: string;
  onChange: (id: string) => void;
};

/** A longer list is searched in a dialog; the browser's own list is faster for a shorter one. */
const FEW = 12;

export function isLongList(ports: Catalogue['ports']): boolean {
  return ports.length > FEW;
}

const PortDialog = lazyComponent(() => import('./port-dialog.tsx').then((module) => module.PortDialog));

export function PortField(props: PortFieldProps) {
  const { ports, byChange: _byChange, onChange, ...select } = props;
  if (isLongList(ports)) return <SearchedPortField {...props} />;
  return (
    <Select
      {...select}
      options={ports.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function SearchedPortField(props: PortFieldProps) {
  const { ports, value, onChange, id, label, error } = props;
  const [isOpen, setIsOpen] = useState(false);
  const name = ports.find((port) => port.id === value)?.name ?? 'Choose a port';
  useEffect(() => whenIdle(PortDialog.preload), []);
  return (
    <>
      <Field {...{ id, label, error }} end={<Icon name="chevron-down" className={styles.chevron} />}>
        {(control) => (
          <button
            {...control}
            type="button"
            className={classes(control.className, styles.button)}
            aria-haspopup="dialog"
            aria-label={`${label}: ${name}`}
            onClick={() => startTransition(() => setIsOpen(true))}
          >
            {name}
          </button>
        )}
      </Field>
      {isOpen && (
        <Suspense fallback={null}>
          <PortDialog
            {...props}
            onClose={() => setIsOpen(false)}
            onChange={(chosen) => {
              setIsOpen(false);
              onChange(chosen);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
