import { render } from '@testing-library/react';
import { Fragment, type ReactNode } from 'react';
import { beforeAll, describe, expect, test } from 'vitest';
import { supportTranslators } from '#web/platform/translated-page.ts';

type Replace = (text: Text, font: HTMLElement) => void;

const inOneStep: Replace = (text, font) => text.replaceWith(font);
const insertedFirst: Replace = (text, font) => {
  text.before(font);
  text.remove();
};
const removedFirst: Replace = (text, font) => {
  const { parentNode, nextSibling } = text;
  text.remove();
  parentNode?.insertBefore(font, nextSibling);
};

beforeAll(supportTranslators);

describe.each([
  ['replaces texts in one step', inOneStep],
  ['inserts before it removes', insertedFirst],
  ['removes before it inserts', removedFirst],
])('a page whose translator %s', (_, replace) => {
  test('shows a text that changed beside an element', async () => {
    const page = await translated((state: string) => [state, <b key="icon">icon</b>], replace);
    await page.show('Valid');
    await page.show('Canceled');
    expect(page.text()).toBe('CanceledICON');
    page.translate();
    expect(page.text()).toBe('CANCELEDICON');
    await page.show('Used');
    expect(page.text()).toBe('UsedICON');
  });

  test('shows no text that was removed', async () => {
    const page = await translated((hint: string) => ['Length', hint, <b key="unit">ft</b>], replace);
    await page.show('up to 20');
    await page.show('');
    expect(page.text()).not.toMatch(/20/i);
    expect(page.text()).toMatch(/^Length\s*ft$/i);
  });

  test('shows an element that was inserted before a text in its place', async () => {
    const page = await translated((note: string) => [note && <b key="note">{note}</b>, 'after'], replace);
    await page.show('');
    await page.show('Note: ');
    expect(page.text()).toBe('Note: after');
  });

  test('translates a sentence of several texts again as a whole', async () => {
    const page = await translated(
      (price: string) => ['It costs ', price, ' today', <br key="end" />],
      replace,
    );
    await page.show('$5');
    await page.show('$6');
    expect(page.text()).toBe('It costs $6 today');
    expect(page.container.querySelector('font')).toBeNull();
  });

  test('shows a text once that moves behind another one', async () => {
    const page = await translated(
      (order: string) => Array.from(order, (name) => <Fragment key={name}>{name}</Fragment>),
      replace,
    );
    await page.show('abc');
    await page.show('bca');
    expect(page.text().toLowerCase()).toBe('bca');
  });

  test('replaces the only text of an element', async () => {
    const page = await translated((state: string) => state, replace);
    await page.show('Frozen');
    await page.show('Ready to use');
    expect(page.text()).toBe('Ready to use');
  });
});

test('a text that the translator made part of another one can be removed, and an element inserted before it', async () => {
  const page = await translated(
    (state: string) => [state === 'both' && 'one', state !== 'both' && <b key="only">only </b>, 'two'],
    inOneStep,
  );
  await page.show('both');
  page.translate();
  for (const font of page.container.querySelectorAll('font')) font.remove();
  await page.show('one');
  expect(page.text()).toBe('only ');
});

test('an element that is not on the page still cannot be removed', () => {
  expect(() => document.body.removeChild(document.createElement('p'))).toThrow();
});

/** A paragraph that is translated, into capital letters, each time after it was shown. */
async function translated(children: (value: string) => ReactNode, replace: Replace) {
  const { container, rerender } = render(<p />);
  let isShown = false;
  const translate = () => translateTexts(container, replace);
  return {
    container,
    translate,
    text: () => container.textContent ?? '',
    async show(value: string) {
      if (isShown) translate();
      isShown = true;
      await observed();
      rerender(<p>{children(value)}</p>);
      await observed();
    },
  };
}

function translateTexts(container: HTMLElement, replace: Replace): void {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ parentElement }) => parentElement?.tagName !== 'FONT')) {
    const font = document.createElement('font');
    font.append(text.data.toUpperCase());
    replace(text, font);
  }
}

/** Observers are told in a microtask. */
function observed(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
