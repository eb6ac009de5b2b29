import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { hasPermission, type StaffRole } from '#contract/staff/permissions.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { t } from '#web/language/texts.ts';
import type { DeskBoard } from '#web/platform/api/types.ts';
import { classes } from '#web/ui/classes.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { AREAS } from '../areas.ts';
import { latestBoardQuery } from '../boats/boat-queries.ts';
import { linkToSale, listNextBoats } from '../boats/next-boats.ts';
import { useStaff } from '../session/staff-session.ts';
import styles from './command-palette.module.css';

type Target = { to: string; label: string; icon: IconName };

/** Finds an order or a page by typing, and opens it with Enter. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { role } = useStaff();
  const navigate = useNavigate();
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const client = useQueryClient();
  const [boardOptions] = useState(() => latestBoardQuery(client));
  const board = useQuery({ ...boardOptions, enabled: hasPermission(role, 'sell_tickets') }).data;
  const targets = listTargets(typed, role, board);
  const getOptionId = (index: number) => `${listId}-${index}`;
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active]);

  function open(target: Target | undefined) {
    if (!target) return;
    onClose();
    void navigate(target.to);
  }

  function handleKey(event: KeyboardEvent) {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && targets.length > 0) {
      event.preventDefault();
      setActive((active + step + targets.length) % targets.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(targets[active]);
    }
  }

  return (
    <Modal title={t('Go to')} onClose={onClose}>
      <TextField
        ref={input}
        label={t('Order or page')}
        role="combobox"
        aria-expanded={targets.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={targets.length > 0 ? getOptionId(active) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onKeyDown={handleKey}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
      />
      <div role="listbox" id={listId} aria-label={t('Go to')} className={styles.list}>
        {targets.map((target, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keys
          <div
            key={target.to}
            role="option"
            id={getOptionId(index)}
            tabIndex={-1}
            aria-selected={index === active}
            className={classes(styles.option, index === active && styles.active)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => open(target)}
          >
            <Icon name={target.icon} />
            {target.label}
          </div>
        ))}
      </div>
      <p role="status" className={classes('note', targets.length > 0 && 'visually-hidden')}>
        {t('{count, plural, =0 {Nothing matches.} one {# match} other {# matches}}', {
          count: targets.length,
        })}
      </p>
    </Modal>
  );
}

/**
 * The order with the typed reference, pages that begin with the typed words, sales for the next boats, the other pages with
 * the typed words, and a search of all orders.
 */
function listTargets(typed: string, role: StaffRole, board: DeskBoard | undefined): Target[] {
  const words = typed.trim();
  const reference = parseReference(words);
  const order: Target[] =
    reference === null
      ? []
      : [
          {
            to: fillPath(staffPages.order, { reference }),
            label: t('Order {reference}', { reference }),
            icon: 'ticket',
          },
        ];
  const search: Target[] =
    words === ''
      ? []
      : [
          {
            to: `${staffPages.orders}?${new URLSearchParams({ q: words })}`,
            label: t('Find “{search}” among the orders', { search: words }),
            icon: 'card',
          },
        ];
  const pages = AREAS.filter(({ permission }) => hasPermission(role, permission))
    .map(({ to, label, icon }) => ({ to, label: t(label), icon }))
    .filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()));
  const isFirst = ({ label }: Target) => label.toLowerCase().startsWith(words.toLowerCase());
  const sales = board && words !== '' ? listSales(board, words) : [];
  const mayFind = hasPermission(role, 'see_orders');
  return [
    ...(mayFind ? order : []),
    ...pages.filter(isFirst),
    ...sales,
    ...pages.filter((page) => !isFirst(page)),
    ...(mayFind ? search : []),
  ];
}

/** Those with all typed words, such as "sell" or the beginning of a destination. */
function listSales(board: DeskBoard, typed: string): Target[] {
  const words = typed.toLowerCase().split(/\s+/);
  return listNextBoats(board)
    .map((boat) => ({ ...linkToSale(boat), icon: 'ferry' as const }))
    .filter(({ label }) => {
      const inLabel = label.toLowerCase().split(/\s+/);
      return words.every((word) => inLabel.some((each) => each.startsWith(word)));
    });
}
