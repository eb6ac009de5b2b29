import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { classes } from '#web/ui/classes.ts';
import { POPUP_DISTANCE_PX } from '#web/ui/feedback/delays.ts';
import { Button, IconButton } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { keepPlaced, onViewportChange } from '#web/ui/popup/place.ts';
import { useModalDialog } from '#web/ui/popup/use-modal-dialog.ts';
import styles from './port-dialog.module.css';
import { groupPorts, type PortGroup, type PortOption, searchPorts } from './port-groups.ts';
import { readRecentPorts } from './recent-ports.ts';
import { useNearMe } from './use-near-me.ts';

export type PortFieldProps = {
  id?: string | undefined;
  label: string;
  error?: string | undefined;
  ports: Catalogue['ports'];
  /** Where boats are changed, by the ids of the ports that only a change reaches. */
  transferPorts?: ReadonlyMap<string, string> | undefined;
  value: string;
  onChange: (id: string) => void;
};

type PortDialogProps = PortFieldProps & {
  /** The field, below which wide screens show the dialog. */
  anchor: RefObject<HTMLElement | null>;
  initialSearch: string;
  onClose: () => void;
};

const NONE: ReadonlyMap<string, string> = new Map();
const PAGE = 8;

/** Chooses one of many ports: by typing, from the recent and near ones, or from the whole list. */
export function PortDialog(props: PortDialogProps) {
  const { label, ports, transferPorts = NONE, value, anchor, initialSearch, onChange, onClose } = props;
  const { units } = useSettings();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState(initialSearch);
  const [recent] = useState(readRecentPorts);
  const { position, problem, isAsking, ask } = useNearMe();
  const [active, setActive] = useState(0);
  const groups: PortGroup[] =
    typed.trim() === ''
      ? groupPorts({ ports, recent, position, transferPorts, units })
      : [{ title: t('Matches'), options: searchPorts(ports, typed, transferPorts) }];
  const options = groups.flatMap((group) => group.options);
  // A port may be listed twice, but only one option is the selected one.
  const selected = options.findLastIndex(({ id }) => id === value);
  const getOptionId = (index: number) => `${listId}-${index}`;
  const hasCoordinates = ports.some(({ lat, lon }) => lat !== null && lon !== null);

  useModalDialog(dialog, onClose);
  useLayoutEffect(() => input.current?.focus(), []);
  usePlace(dialog, anchor);
  useEffect(() => {
    // The title above the first option comes into view with it.
    if (active === 0) list.current?.scrollTo?.({ top: 0 });
    else document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  function handleKey(event: KeyboardEvent) {
    const moved = findMove(event.key, active, options.length);
    if (moved !== null) {
      event.preventDefault();
      setActive(moved);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const option = options[active];
      if (option) onChange(option.id);
    }
  }

  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${listId}-label`}>
      <header className={styles.header}>
        <h2 id={`${listId}-label`} className={styles.label}>
          {label}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <div className={styles.controls}>
        <TextField
          ref={input}
          label={t('Search by name or code')}
          role="combobox"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? getOptionId(active) : undefined}
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
        {ask !== null && hasCoordinates && (
          <Button
            variant="secondary"
            size="small"
            icon="map-pin"
            isPending={isAsking}
            onClick={() => {
              // The near ports come first in the whole list.
              setTyped('');
              setActive(0);
              ask();
            }}
          >
            {t('Ports near me')}
          </Button>
        )}
        <p
          role="status"
          className={classes('note', options.length > 0 && problem === null && 'visually-hidden')}
        >
          {problem ?? describeCount(options.length, typed)}
        </p>
      </div>
      <div
        ref={list}
        role="listbox"
        id={listId}
        aria-label={t('Ports')}
        className={styles.list}
        // A finger that scrolls the list puts the phone's keyboard away.
        onTouchMove={() => input.current?.blur()}
      >
        {groups.map((group, at) => (
          <OptionGroup
            key={group.title}
            group={group}
            first={groups.slice(0, at).reduce((sum, { options: before }) => sum + before.length, 0)}
            {...{ active, selected, value, getOptionId, onChange }}
          />
        ))}
      </div>
    </dialog>
  );
}

/** Where a key leads, around both ends; null for other keys. */
function findMove(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active - 1 + count) % count;
  if (key === 'PageDown') return Math.min(active + PAGE, count - 1);
  return key === 'PageUp' ? Math.max(active - PAGE, 0) : null;
}

/** Below its field on wide screens; on phones in the part that the screen's keyboard leaves visible. */
function usePlace(dialog: RefObject<HTMLDialogElement | null>, anchor: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || anchor.current === null) return;
    const events = new AbortController();
    const { visualViewport } = window;
    const fit = () => {
      element.style.setProperty('--visible-top', `${visualViewport?.offsetTop ?? 0}px`);
      element.style.setProperty('--visible-height', `${visualViewport?.height ?? window.innerHeight}px`);
    };
    for (const type of ['resize', 'scroll'])
      visualViewport?.addEventListener(type, fit, { signal: events.signal });
    const stops = [
      onViewportChange(fit),
      keepPlaced(anchor.current, element, 'bottom-start', POPUP_DISTANCE_PX),
    ];
    return () => {
      events.abort();
      for (const stop of stops) stop();
    };
  }, [dialog, anchor]);
}

type OptionGroupProps = Pick<PortDialogProps, 'value' | 'onChange'> & {
  group: PortGroup;
  /** Index of its first option in the whole list. */
  first: number;
  active: number;
  selected: number;
  getOptionId: (index: number) => string;
};

function OptionGroup({
  group: { title, options },
  first,
  active,
  selected,
  value,
  getOptionId,
  onChange,
}: OptionGroupProps) {
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
          id={getOptionId(first + index)}
          option={option}
          isActive={first + index === active}
          isSelected={first + index === selected}
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
  isSelected: boolean;
  isChosen: boolean;
  onChoose: () => void;
};

function Option({ id, option: { name, detail }, isActive, isSelected, isChosen, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys
    <div
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isSelected}
      className={classes(styles.option, isActive && styles.active)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={classes(styles.name, isChosen && styles.chosen)}>{name}</span>
      {isChosen && <Icon name="check" size="small" className={styles.check} />}
      {detail && <span className={styles.detail}>{detail}</span>}
    </div>
  );
}

function describeCount(count: number, typed: string): string {
  return count === 0
    ? t('No port matches “{typed}”.', { typed: typed.trim() })
    : t('{count, plural, one {# port} other {# ports}}', { count });
}
