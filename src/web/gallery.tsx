import { MemoryRouter } from 'react-router';
import './ui/theme.css';
import './ui/base.css';
import './ui/layout/site-header.css';
import { createRoot } from 'react-dom/client';
import { Gallery } from './ui/gallery/gallery.tsx';

// The gallery alone, without the product around it.
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <MemoryRouter initialEntries={['/gallery']}>
      <Gallery />
    </MemoryRouter>,
  );
