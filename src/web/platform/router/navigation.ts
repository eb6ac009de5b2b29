import { createStore } from '../create-store.ts';

type Navigate = (to: string) => void;

/** Replaces the document until a router is set. */
const current = createStore<{ navigate: Navigate }>({
  navigate: (to) => window.location.assign(to),
});

/** For code outside of screens. Screens use the router's hooks. */
export function goTo(to: string): void {
  current.get().navigate(to);
}

export function setNavigate(navigate: Navigate): void {
  current.set({ navigate });
}
