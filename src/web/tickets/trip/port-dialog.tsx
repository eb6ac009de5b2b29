import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useSettings } from '#web/platform/settings/settings.ts';
import { classes } from '#web/ui/classes.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import styles from './port-dialog.module.css';
import type { PortFieldProps } from './port-field.tsx';
import { groupPorts, type PortGroup, type PortOption, searchPorts } from './port-groups.ts';
import { readRecentPorts } from './recent-ports.ts';
import { useNearMe } from './use-near-me.ts';

type PortDialogProps = PortFieldProps & { onClose: () => void };

const NONE: ReadonlySet<string> = new Set();

/** Chooses one of many ports: by typing, from the recent and near ones, or from the whole list. */
export function PortDialog({ label, ports, byChange = NONE, value, onChange, onClose }: PortDialogProps) {
  const { units } = useSettings();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [recent] = useState(readRecentPorts);
  const { position, problem, isAsking, ask } = useNearMe();
  const [active, setActive] = useState(0);
  const groups: PortGroup[] =
    typed.trim() === ''
      ? groupPorts({ ports, recent, position, byChange, units })
      : [{ title: 'Matches', options: searchPorts(ports, typed) }];
  const options = groups.flatMap((group) => group.options);
  const idOf = (index: number) => `${listId}-${index}`;

  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  function handleKey(event: KeyboardEvent) {
    const moved = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key];
    if (moved !== undefined) {
      event.preventDefault();
      setActive((moved + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const option = options[active];
      if (option) onChange(option.id);
    }
  }

  return (
    <Modal title={label} onClose={onClose} size="lg">
      <Stack className={styles.search}>
        <TextField
          label="Search by name or code"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? idOf(active) : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          value={typed}
          onKeyDown={handleKey}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
        />
        {ask !== null && (
          <Button variant="secondary" icon="map-pin" isPending={isAsking} onClick={ask}>
            Ports near me
          </Button>
        )}
        <p
          role="status"
          className={classes('note', options.length > 0 && problem === null && 'visually-hidden')}
        >
          {problem ?? describeCount(options.length, typed)}
        </p>
        <div role="listbox" id={listId} aria-label="Ports" className={styles.list}>
          {groups.map((group, at) => (
            <OptionGroup
              key={group.title}
              group={group}
              first={groups.slice(0, at).reduce((sum, { options: before }) => sum + before.length, 0)}
              {...{ active, value, idOf, onChange }}
            />
          ))}
        </div>
      </Stack>
    </Modal>
  );
}

type OptionGroupProps = Pick<PortDialogProps, 'value' | 'onChange'> & {
  group: PortGroup;
  /** Index of its first option in the whole list. */
  first: number;
  active: number;
  idOf: (index: number) => string;
};

function OptionGroup({ group: { title, options }, first, active, value, idOf, onChange }: OptionGroupProps) {
  const titleId = useId();
  if (options.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a list box
    <div role="group" aria-labelledby={titleId}>
      <p id={titleId} className={styles.title}>
        {title}
      </p>
      {options.map((option, index) => (
        <Option
          key={option.id}
          id={idOf(first + index)}
          option={option}
          isActive={first + index === active}
          isChosen={option.id === value}
          onChoose={() => onChange(option.id)}
        />
      ))}
    </div>
  );
}

type OptionProps = {
  id: string;
  option: PortOption;
  isActive: boolean;
  isChosen: boolean;
  onChoose: () => void;
};

function Option({ id, option: { name, detail }, isActive, isChosen, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys
    <div
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes(styles.option, isActive && styles.active)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span>{name}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
    </div>
  );
}

function describeCount(count: number, typed: string): string {
  if (count === 0) return `No port matches “${typed.trim()}”.`;
  return count === 1 ? '1 port' : `${count} ports`;
}
