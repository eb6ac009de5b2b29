// @vitest-environment node
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { StaticNavigation } from '#web/navigation/static-navigation.tsx';
import { Gallery } from '#web/ui/gallery/gallery.tsx';

test('every component renders on a server', () => {
  expect(typeof window).toBe('undefined');
  const html = renderToString(
    <StaticNavigation pathname="/gallery">
      <Gallery />
    </StaticNavigation>,
  );
  expect(html).toContain('Skip to content');
  expect(html).toContain('07/24/2026');
});
