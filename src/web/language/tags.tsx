import type { ReactNode } from 'react';

/** For `rich`: what a tag stands for in many messages. */
export function strong(text: ReactNode) {
  return <strong>{text}</strong>;
}

/** For `rich`: words that only screen readers read. */
export function hidden(text: ReactNode) {
  return <span className="visually-hidden">{text}</span>;
}
