// @vitest-environment node
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { Gallery } from '#web/ui/gallery/gallery.tsx';

test('every component renders on a server', () => {
  expect(typeof window).toBe('undefined');
  const html = renderToString(
    <MemoryRouter initialEntries={['/gallery']}>
      <Gallery />
    </MemoryRouter>,
  );
  expect(html).toContain('Skip to content');
  expect(html).toContain('07/24/2026');
});
