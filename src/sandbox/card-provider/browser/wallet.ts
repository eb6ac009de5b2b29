import { postToParent } from './messages.ts';

const form = document.querySelector('form');

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const card = String(new FormData(form).get('card'));
  postToParent(form, { side: 'wallet', name: 'pay', card });
});

// The frame has the focus, so the outer dialog does not receive this key.
window.addEventListener('keydown', (event) => {
  if (form && event.key === 'Escape') postToParent(form, { side: 'wallet', name: 'cancel' });
});
