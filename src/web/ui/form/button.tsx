import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useEffect,
  useState,
} from 'react';
import { Link, type LinkProps } from 'react-router';
import { classes } from '../classes.ts';
import { PENDING_SPINNER_DELAY_MS } from '../feedback/delays.ts';
import { Spinner } from '../feedback/spinner.tsx';
import { Icon, type IconName } from '../icon.tsx';
import styles from './button.module.css';

/** Tells the customer why controls that need a connection are disabled; null while there is a connection. */
export const OffReason = createContext<string | null>(null);

/** Tells why all buttons are disabled where nothing may be done, as on what another person sees; null elsewhere. */
export const ReadOnlyReason = createContext<string | null>(null);

/** Why a control is disabled; null while it is not. Without a connection, only those that need one are. */
function useOffReason(needsConnection: boolean): string | null {
  const offline = use(OffReason);
  const readOnly = use(ReadOnlyReason);
  return readOnly ?? (needsConnection ? offline : null);
}

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

type ButtonStyle = {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  block?: boolean | undefined;
  icon?: IconName | undefined;
  /** Disabled, with the reason as its title, while there is no connection. */
  needsConnection?: boolean | undefined;
};

export type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    isPending?: boolean | undefined;
    pendingText?: string | undefined;
  };

export function Button({
  variant,
  size,
  block,
  icon,
  isPending = false,
  pendingText,
  needsConnection = false,
  type = 'button',
  title,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const isSpinning = useDelayed(isPending, PENDING_SPINNER_DELAY_MS);
  const offReason = useOffReason(needsConnection);
  const isOff = offReason !== null || rest['aria-disabled'] === true;

  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (isPending || isOff) {
      event.preventDefault();
      return;
    }
    onClick?.(event);
  }

  return (
    <button
      {...rest}
      type={type}
      title={offReason ?? title}
      className={classes(buttonClass({ variant, size, block }), className)}
      aria-disabled={isPending || isOff || rest['aria-disabled']}
      aria-busy={isPending || undefined}
      data-spinning={isSpinning || undefined}
      data-renamed={(isSpinning && pendingText !== undefined) || undefined}
      onClick={handleClick}
    >
      <Label icon={icon}>{children}</Label>
      {isPending && (
        <span className={styles.pending}>
          <Spinner size="small" />
          {pendingText}
        </span>
      )}
    </button>
  );
}

export type ButtonLinkProps = LinkProps & ButtonStyle;

export function ButtonLink({
  variant,
  size,
  block,
  icon,
  needsConnection = false,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  const offReason = useOffReason(needsConnection);
  const allClasses = classes(buttonClass({ variant, size, block }), className);
  const label = <Label icon={icon}>{children}</Label>;
  if (offReason === null) {
    return (
      // The router has no screen for a file.
      <Link reloadDocument={rest.download !== undefined} {...rest} className={allClasses}>
        {label}
      </Link>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a disabled link has no address
    <span role="link" tabIndex={0} aria-disabled="true" title={offReason} className={allClasses}>
      {label}
    </span>
  );
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  label: string;
  icon: IconName;
  variant?: ButtonVariant | undefined;
};

export function IconButton({
  label,
  icon,
  variant = 'quiet',
  type = 'button',
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={classes(buttonClass({ variant }), styles.icon, className)}
    >
      <Icon name={icon} />
    </button>
  );
}

function Label({ icon, children }: { icon: IconName | undefined; children: ReactNode }) {
  return (
    <span className={styles.label}>
      {icon && <Icon name={icon} />}
      <span className={styles.text}>{children}</span>
    </span>
  );
}

function buttonClass({ variant = 'primary', size = 'medium', block = false }: ButtonStyle) {
  return classes(styles.button, styles[variant], styles[size], block && styles.block);
}

function useDelayed(isOn: boolean, delay: number): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => setIsLate(true), delay);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isOn, delay]);
  return isOn && isLate;
}
