import './ui/theme.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Gallery } from './ui/gallery/gallery.tsx';

// The gallery alone, without the product around it.
const root = document.getElementById('root');
const router = createMemoryRouter([{ path: '*', Component: Gallery }], { initialEntries: ['/gallery'] });
if (root) createRoot(root).render(<RouterProvider router={router} />);
