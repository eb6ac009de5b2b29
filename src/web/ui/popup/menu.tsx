import { type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef } from 'react';
import { classes } from '../classes.ts';
import { DOUBLE_CLICK_MS, MENU_HIDE_DELAY_MS, POPUP_DISTANCE_PX } from '../feedback/delays.ts';
import { Button, type ButtonVariant, OffReason } from '../form/button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import styles from './popup.module.css';
import { Popup, usePopup } from './popup.tsx';
import { findPress, findScreen, takeSecondClick } from './second-click.ts';

export type MenuItem = {
  id: string;
  label: string;
  icon?: IconName | undefined;
  isDanger?: boolean | undefined;
  /** Disabled, with the reason as its title, while there is no connection. */
  needsConnection?: boolean | undefined;
  onSelect: () => void;
};

type MenuProps = {
  label: ReactNode;
  icon?: IconName | undefined;
  /** The accessible name of a button without a text. */
  accessibleLabel?: string | undefined;
  variant?: ButtonVariant | undefined;
  items: MenuItem[];
};

export function Menu({ label, icon, accessibleLabel, variant = 'secondary', items }: MenuProps) {
  const buttonId = useId();
  const menuId = useId();
  const firstFocus = useRef<'first' | 'last'>('first');
  const control = usePopup<HTMLSpanElement>('bottom-end', POPUP_DISTANCE_PX);
  const { anchor, popup, isOpen, isMounted, open, close } = control;
  const offReason = use(OffReason);
  const isOff = ({ needsConnection }: MenuItem) => needsConnection && offReason !== null;

  useEffect(() => {
    if (!isOpen) return;
    findItems(popup.current)
      .at(firstFocus.current === 'first' ? 0 : -1)
      ?.focus();
  }, [isOpen, popup]);

  function openAt(place: 'first' | 'last') {
    firstFocus.current = place;
    open();
  }

  function closeToButton() {
    close();
    anchor.current?.querySelector('button')?.focus();
  }

  function handleButtonKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    openAt(event.key === 'ArrowDown' ? 'first' : 'last');
  }

  function handleMenuKey(event: KeyboardEvent) {
    if (event.key === 'Tab' || event.key === 'Escape') {
      if (event.key === 'Escape') event.preventDefault();
      closeToButton();
      return;
    }
    const next = itemToFocus(event.key, findItems(popup.current));
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  return (
    <span
      ref={anchor}
      className={styles.root}
      onPointerEnter={(event) => isOpen && event.pointerType === 'mouse' && open()}
      onPointerLeave={(event) => isOpen && event.pointerType === 'mouse' && close(MENU_HIDE_DELAY_MS)}
    >
      <Button
        id={buttonId}
        variant={variant}
        icon={icon}
        aria-label={accessibleLabel}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isMounted ? menuId : undefined}
        onClick={() => (isOpen ? closeToButton() : openAt('first'))}
        onKeyDown={handleButtonKey}
      >
        {label}
      </Button>
      <Popup
        control={control}
        id={menuId}
        role="menu"
        tabIndex={-1}
        aria-labelledby={buttonId}
        className={styles.menu}
        onKeyDown={handleMenuKey}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={classes(styles.item, item.isDanger && styles.danger)}
            aria-disabled={isOff(item)}
            title={item.needsConnection ? (offReason ?? undefined) : undefined}
            onClick={({ nativeEvent }) => {
              if (isOff(item)) return;
              const press = findPress(nativeEvent);
              if (press) takeSecondClick(press, findScreen(anchor.current), DOUBLE_CLICK_MS);
              closeToButton();
              item.onSelect();
            }}
          >
            {item.icon && <Icon name={item.icon} />}
            {item.label}
          </button>
        ))}
      </Popup>
    </span>
  );
}

function findItems(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

function itemToFocus(key: string, items: HTMLElement[]): HTMLElement | undefined {
  const at = items.findIndex((item) => item.matches(':focus'));
  if (key === 'ArrowDown') return items[(at + 1) % items.length];
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  return rotated.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}
