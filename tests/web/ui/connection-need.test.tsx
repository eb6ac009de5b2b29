import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { Button, ButtonLink, OffReason } from '#web/ui/form/button.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';

afterEach(cleanup);

const REASON = 'This needs a connection.';

function renderAll(reason: string | null) {
  const press = vi.fn();
  render(
    <MemoryRouter>
      <OffReason value={reason}>
        <form onSubmit={press}>
          <Button needsConnection onClick={press}>
            Save
          </Button>
          <Button type="submit" needsConnection>
            Send
          </Button>
          <Button onClick={press}>Print</Button>
        </form>
        <ButtonLink to="/pay" needsConnection>
          Pay
        </ButtonLink>
        <ButtonLink to="/orders">Orders</ButtonLink>
        <Menu label="More" items={[{ id: 'a', label: 'Rename', needsConnection: true, onSelect: press }]} />
      </OffReason>
    </MemoryRouter>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  return press;
}

const control = (role: string, name: string) => screen.getByRole(role, { name, hidden: true });

test('controls that need a connection are disabled without one and give the reason', () => {
  const press = renderAll(REASON);
  const controls = [
    control('button', 'Save'),
    control('button', 'Send'),
    control('link', 'Pay'),
    control('menuitem', 'Rename'),
  ];
  for (const each of controls) {
    expect(each.getAttribute('aria-disabled')).toBe('true');
    expect(each.title).toBe(REASON);
    fireEvent.click(each);
  }
  expect(press).not.toHaveBeenCalled();
  expect(control('link', 'Pay').hasAttribute('href')).toBe(false);
});

test('other controls work without a connection', () => {
  const press = renderAll(REASON);
  fireEvent.click(control('button', 'Print'));
  expect(press).toHaveBeenCalledTimes(1);
  expect(control('link', 'Orders').getAttribute('href')).toBe('/orders');
});

test('with a connection every control works', () => {
  const press = renderAll(null);
  fireEvent.click(control('button', 'Save'));
  fireEvent.click(control('menuitem', 'Rename'));
  expect(press).toHaveBeenCalledTimes(2);
  expect(control('link', 'Pay').getAttribute('href')).toBe('/pay');
});
