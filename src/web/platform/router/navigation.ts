import { createStore } from '../create-store.ts';

type Navigate = (to: string, options?: { replace?: boolean }) => void;

/** Replaces the document until a router is set. */
const current = createStore<{ navigate: Navigate }>({
  navigate: (to, { replace = false } = {}) => window.location[replace ? 'replace' : 'assign'](to),
});

/** For code outside of screens. Screens use the router's hooks. */
export function goTo(to: string, options?: { replace?: boolean }): void {
  current.get().navigate(to, options);
}

export function setNavigate(navigate: Navigate): void {
  current.set({ navigate });
}
