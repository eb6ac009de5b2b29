import { type FromWallet, parentOrigins } from './messages.ts';

const form = document.querySelector('form');

function answer(message: FromWallet): void {
  for (const origin of parentOrigins(form?.dataset.origins?.split(' ') ?? []))
    window.parent.postMessage(message, origin);
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  answer({ side: 'wallet', name: 'pay', card: String(new FormData(form).get('card')) });
});

// The frame has the focus, so the outer dialog does not receive this key.
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') answer({ side: 'wallet', name: 'cancel' });
});
