import { render, screen, waitFor } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useFirstItems } from '#web/portal/parts/use-first-items.ts';

const TEN = Array.from({ length: 10 }, (_, index) => `Item ${index + 1}`);

function List({ items, first }: { items: readonly string[]; first?: number }) {
  return (
    <ul>
      {useFirstItems(items, first).map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

function listItems(): (string | null)[] {
  return screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
}

test('a list renders its first four items first', () => {
  expect(renderToStaticMarkup(<List items={TEN} />).match(/<li>/g)).toHaveLength(4);
});

test('a list further down the screen renders fewer items first', () => {
  expect(renderToStaticMarkup(<List items={TEN} first={1} />).match(/<li>/g)).toHaveLength(1);
});

test('a list renders all its items once the first ones are on screen, and follows its changes', async () => {
  const { rerender } = render(<List items={TEN} />);
  expect(listItems()).toEqual(TEN.slice(0, 4));
  await waitFor(() => expect(listItems()).toEqual(TEN));
  rerender(<List items={TEN.slice(2)} />);
  expect(listItems()).toEqual(TEN.slice(2));
  rerender(<List items={TEN} />);
  expect(listItems()).toEqual(TEN);
  rerender(<List items={[]} />);
  expect(listItems()).toEqual([]);
});
