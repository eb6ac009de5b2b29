import './ui/theme.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { StaticNavigation } from '#web/navigation/static-navigation.tsx';
import { Gallery } from './ui/gallery/gallery.tsx';

// The gallery alone, without the product around it.
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StaticNavigation pathname="/gallery">
      <Gallery />
    </StaticNavigation>,
  );
