export type Navigate = (to: string, options?: { replace?: boolean }) => void;

let navigate: Navigate = (to, { replace = false } = {}) =>
  replace ? window.location.replace(to) : window.location.assign(to);

/** For code outside of screens. Screens use the router's hooks. */
export function goTo(to: string, options?: { replace?: boolean }): void {
  navigate(to, options);
}

export function setNavigate(next: Navigate): void {
  navigate = next;
}
