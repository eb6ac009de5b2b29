import { createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { createTranslateRich, type TranslateRich } from '#messages/translate.ts';
import { textLanguage } from './page-language.ts';
import { findMessage } from './texts.ts';

const translateRich = createTranslateRich<ReactNode>(textLanguage, findMessage);

/** Writes a message with elements in it: `rich('Read <link>the terms</link>', { link: (text) => <Link>…</Link> })`. */
export const rich: TranslateRich<ReactNode, ReactElement, ReactElement> = (text, values) => {
  const withElements = Object.entries(values as Values).map(([name, value]) => [
    name,
    typeof value === 'function' ? (children: ReactNode[]) => value(asElement(children)) : value,
  ]);
  return asElement(translateRich(text, Object.fromEntries(withElements)));
};

type Values = Record<string, string | number | ((children: ReactElement) => ReactNode)>;

/** Its parts as separate children, which need no keys. */
function asElement(parts: readonly ReactNode[]): ReactElement {
  return createElement(Fragment, null, ...parts);
}
