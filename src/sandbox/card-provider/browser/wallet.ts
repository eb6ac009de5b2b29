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

// The focus is in here, so the dialog outside never sees this key.
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') answer({ side: 'wallet', name: 'cancel' });
});
