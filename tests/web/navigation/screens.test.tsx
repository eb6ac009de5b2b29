import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RouterView } from '#web/app/router-view.tsx';
import {
  useHistoryAction,
  useLocation,
  useNavigate,
  useParams,
  useSearchParams,
} from '#web/navigation/navigation.ts';
import { Redirect } from '#web/navigation/redirect.tsx';
import { Outlet, type Route } from '#web/navigation/screens.tsx';
import { openPage } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

let rendered: string[];
let parsed: URLSearchParams[];
beforeEach(() => {
  openPage();
  rendered = [];
  parsed = [];
});
afterEach(cleanup);

function Counter({ name }: { name: string }) {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {name} {count}
    </button>
  );
}

function Frame() {
  rendered.push('frame');
  return (
    <>
      <Counter name="frame" />
      <Outlet />
    </>
  );
}

function Card() {
  const { id } = useParams();
  const { search } = useLocation();
  rendered.push('card');
  return (
    <>
      <Counter name="card" />
      <p>{`card ${id} ${search} ${useHistoryAction()}`}</p>
    </>
  );
}

/** Its button changes the parameters twice. */
function Pages() {
  const search = useSearchParams();
  const navigate = useNavigate();
  parsed.push(search);
  const open = (page: number) => navigate({ search: `?page=${page}` }, { replace: true });
  return (
    <button type="button" onClick={() => void Promise.all([open(2), open(3)])}>
      page {search.get('page') ?? 1}
    </button>
  );
}

const MISSING = new TypeError('Failed to fetch dynamically imported module: /assets/x.js');

function Broken(): never {
  throw new TypeError('This screen is broken.');
}

const List = () => <p>list</p>;
const routes: Route[] = [
  {
    Component: Frame,
    children: [
      { path: '/cards', Component: List },
      { path: '/cards/:id', Component: Card },
      { path: '/pages', Component: Pages },
      { path: '/moved', Component: () => <Redirect to="/cards" /> },
      { path: '/broken', Component: Broken },
      { path: '/missing', handle: { name: 'missing', lazy: () => Promise.reject(MISSING) } },
    ],
  },
];

function show(...addresses: string[]) {
  const router = createTestRouter(routes, addresses);
  render(<RouterView router={router} />);
  return router;
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('a layout keeps its state and is not rendered again while its screens change', async () => {
  const router = show('/cards');
  await press('frame 0');
  rendered = [];
  await act(() => router.navigate('/cards/7'));
  expect(screen.getByText('card 7 PUSH')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'frame 1' })).toBeTruthy();
  expect(rendered).toEqual(['card']);
});

test('a screen keeps its state while only its parameters change, and loses it to another screen', async () => {
  const router = show('/cards/7');
  await press('card 0');
  await act(() => router.navigate('/cards/8?page=2', { replace: true }));
  expect(screen.getByText('card 8 ?page=2 REPLACE')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'card 1' })).toBeTruthy();
  await act(() => router.navigate('/cards'));
  await act(() => router.navigate(-1));
  expect(screen.getByText('card 8 ?page=2 POP')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'card 0' })).toBeTruthy();
});

test('a redirect replaces its entry of the history', async () => {
  const router = show('/cards/7', '/moved');
  await waitFor(() => expect(router.state.location.pathname).toBe('/cards'));
  expect(await screen.findByText('list')).toBeTruthy();
  await act(() => router.navigate(-1));
  expect(router.state.location.pathname).toBe('/cards/7');
});

test('of two changes of the parameters in one tick the last one counts, and both leave out the hash', async () => {
  const router = show('/cards', '/pages?day=5#top');
  await press('page 1');
  expect(screen.getByRole('button', { name: 'page 3' })).toBeTruthy();
  expect(router.state.location).toMatchObject({ pathname: '/pages', search: '?page=3', hash: '' });
  await act(() => router.navigate(-1));
  expect(screen.getByText('list')).toBeTruthy();
});

test('parameters are parsed again only when they change', async () => {
  const router = show('/pages?page=3');
  await act(() => router.navigate('/pages?page=3#top'));
  await act(() => router.navigate('/pages?page=4'));
  expect(new Set(parsed).size).toBe(2);
});

test.each([
  ['/broken', 'Something went wrong'],
  ['/missing', 'This page needs a connection'],
])('the layout stays around a screen that fails at %s, and leads to other screens', async (path, title) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const router = show('/cards');
  await press('frame 0');
  await act(() => router.navigate(path));
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(title);
  expect(screen.getByRole('button', { name: 'frame 1' })).toBeTruthy();
  await act(() => router.navigate('/cards'));
  expect(screen.getByText('list')).toBeTruthy();
  expect(screen.queryByText(title)).toBeNull();
  vi.restoreAllMocks();
});

test('reading the address without a router throws', () => {
  expect(() => render(<Card />)).toThrow('There is no router around this component.');
});
