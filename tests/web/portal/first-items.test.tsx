import { render, screen } from '@testing-library/react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useFirstItems } from '#web/portal/parts/use-first-items.ts';

const TEN = Array.from({ length: 10 }, (_, index) => `Item ${index + 1}`);

function List({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {useFirstItems(items).map((item) => (
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

test('a list renders all its items right after, and follows its changes', () => {
  const { rerender } = render(<List items={TEN} />);
  expect(listItems()).toEqual(TEN);
  rerender(<List items={TEN.slice(2)} />);
  expect(listItems()).toEqual(TEN.slice(2));
  rerender(<List items={TEN} />);
  expect(listItems()).toEqual(TEN);
  rerender(<List items={[]} />);
  expect(listItems()).toEqual([]);
});
