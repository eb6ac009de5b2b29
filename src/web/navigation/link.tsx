import type { ComponentProps, MouseEvent } from 'react';
import { createPath } from 'react-router';
import { useNavigator } from './navigation.ts';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path of this host, or an address of another one. */
  to: string;
  /** Of the new history entry. */
  state?: unknown;
  preventScrollReset?: boolean;
};

/** Shows a screen of this host without loading a document. Whatever a link does beyond that stays the browser's. */
export function Link({ to, state, preventScrollReset = false, onClick, ...rest }: LinkProps) {
  const navigator = useNavigator();
  function handleClick(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event) || !opensHere(event.currentTarget)) return;
    event.preventDefault();
    const { pathname, search, hash } = event.currentTarget;
    const path = { pathname, search, hash };
    // As in the browser, a link to the current address adds no entry to the history.
    const replace = createPath(path) === createPath(navigator.state.location);
    void navigator.navigate(path, { replace, state, preventScrollReset });
  }
  return <a {...rest} href={to} onClick={handleClick} />;
}

function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}

function opensHere(link: HTMLAnchorElement): boolean {
  const isSameTab = link.target === '' || link.target === '_self';
  return isSameTab && !link.hasAttribute('download') && link.origin === window.location.origin;
}
