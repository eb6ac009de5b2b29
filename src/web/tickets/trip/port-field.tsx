import { type KeyboardEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { classes } from '#web/ui/classes.ts';
import { Field } from '#web/ui/form/field.tsx';
import { Select, type SelectOptions } from '#web/ui/form/select.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { useLazyDialog } from '#web/ui/popup/use-lazy-dialog.ts';
import { useHydrated } from '../use-hydrated.ts';
import type { PortFieldProps } from './port-dialog.tsx';
import styles from './port-field.module.css';

/** A longer list is searched in a dialog; the browser's own list is faster for a shorter one. */
const FEW = 8;

export function isLongList(ports: Catalogue['ports']): boolean {
  return ports.length > FEW;
}

const PortDialog = lazyComponent(() => import('./port-dialog.tsx').then((module) => module.PortDialog));

export function PortField(props: PortFieldProps) {
  const select = useRef<HTMLSelectElement>(null);
  const canReplace = useCanReplace(select);
  if (canReplace && isLongList(props.ports)) return <SearchedPortField {...props} />;
  const { ports, transferPorts, onChange, ...field } = props;
  return (
    <Select
      {...field}
      ref={select}
      options={buildOptions(ports, transferPorts)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/**
 * Prerendered pages start with a native select, which works without scripts. If it is in use when they run, and its list
 * may be open, it is replaced once it loses the focus.
 */
function useCanReplace(select: RefObject<HTMLSelectElement | null>): boolean {
  const isHydrated = useHydrated();
  const [canReplace, setCanReplace] = useState(isHydrated);
  useEffect(() => {
    const replace = () => setCanReplace(true);
    const element = select.current;
    if (element === null || document.activeElement !== element) return replace();
    element.addEventListener('blur', replace, { once: true });
    return () => element.removeEventListener('blur', replace);
  }, [select]);
  return canReplace;
}

/** Direct destinations first, then those with a change under a title of their own. */
function buildOptions(
  ports: Catalogue['ports'],
  transferPorts: PortFieldProps['transferPorts'],
): SelectOptions {
  const build = (port: string | undefined) =>
    ports
      .filter(({ id }) => transferPorts?.get(id) === port)
      .map(({ id, name }) => ({ value: id, label: name }));
  const reached = new Set(ports.flatMap(({ id }) => transferPorts?.get(id) ?? []));
  return [
    ...build(undefined),
    ...[...reached].map((port) => ({ label: t('With a change at {port}', { port }), options: build(port) })),
  ];
}

function SearchedPortField(props: PortFieldProps) {
  const { ports, value, onChange, id, label, error } = props;
  const button = useRef<HTMLButtonElement>(null);
  /** Its content is what the search starts with. */
  const dialog = useLazyDialog<string>();
  const name = ports.find((port) => port.id === value)?.name ?? t('Choose a port');

  /** As in a native list, letters search and arrows open. */
  function handleKey(event: KeyboardEvent) {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isLetter = /^[\p{L}\p{N}]$/u.test(key) && !ctrlKey && !metaKey && !altKey;
    if (dialog.content !== null || (!isLetter && key !== 'ArrowDown' && key !== 'ArrowUp')) return;
    event.preventDefault();
    dialog.open(isLetter ? key : '');
  }

  return (
    <>
      <Field {...{ id, label, error }} end={<Icon name="chevron-down" className={styles.chevron} />}>
        {(control) => (
          <button
            {...control}
            ref={button}
            type="button"
            className={classes(control.className, styles.button)}
            aria-haspopup="dialog"
            aria-label={`${label}: ${name}`}
            onClick={() => dialog.open('')}
            onKeyDown={handleKey}
          >
            {name}
          </button>
        )}
      </Field>
      <Suspense>
        {dialog.content !== null && (
          <PortDialog
            {...props}
            anchor={button}
            initialSearch={dialog.content}
            onClose={dialog.close}
            onChange={(chosen) => {
              dialog.close();
              onChange(chosen);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
