import { applyAppearance, build } from './appearance.ts';
import { type Client, callApi } from './client.ts';
import { brandName, cardParameters, type FieldRule, fieldRules, type Values } from './frame-fields.ts';
import {
  type FieldState,
  type FrameCall,
  type FrameOptions,
  type FromFrame,
  messageFrom,
  type ProviderError,
  type ToFrame,
} from './messages.ts';
import { showWalletButton } from './wallet-button.ts';

type Field = { rule: FieldRule; input: HTMLInputElement; problem: HTMLElement };

const hash = new URLSearchParams(window.location.hash.slice(1));
const pageOrigin = hash.get('origin') ?? '';
const place = document.getElementById('form');
const allowed = place?.dataset.origins?.split(' ') ?? [];

if (place && allowed.includes(pageOrigin))
  begin(place, { origin: window.location.origin, key: place.dataset.key ?? '' });

function postToMerchant(message: FromFrame): void {
  window.parent.postMessage(message, pageOrigin);
}

/** Announces the frame and handles the merchant page's messages. */
function begin(place: HTMLElement, client: Client): void {
  let form: Form | null = null;
  window.addEventListener('message', (event) => {
    if (event.source !== window.parent || event.origin !== pageOrigin) return;
    const message = messageFrom<ToFrame>('page', event.data);
    if (!message) return;
    const isWallet = 'options' in message && message.options.kind === 'expressCheckout';
    if (isWallet && message.name === 'start') showWalletButton(place, message.options, postToMerchant);
    else if (isWallet) applyAppearance(message.options.appearance);
    else if (message.name === 'start') {
      form = buildForm(place, message.options);
      new ResizeObserver(() =>
        postToMerchant({ side: 'frame', name: 'height', height: place.offsetHeight }),
      ).observe(place);
      postToMerchant({ side: 'frame', name: 'ready' });
    } else if (form) handleMessage(form, client, message);
  });
  postToMerchant({ side: 'frame', name: 'hello' });
}

type Form = {
  fields: Field[];
  values(): Values;
  update(options: FrameOptions): void;
  clear(): void;
  /** Shows the errors, focuses the first invalid field, and returns its error. */
  check(): ProviderError | undefined;
};

function handleMessage(form: Form, client: Client, message: ToFrame): void {
  if (message.name === 'update') form.update(message.options);
  if (message.name === 'focus') form.fields[0]?.input.focus();
  if (message.name === 'blur' && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (message.name === 'clear') form.clear();
  if (message.name === 'validate') {
    const error = form.check();
    postToMerchant({ side: 'frame', name: 'answer', id: message.id, result: { error } });
  }
  if (message.name === 'send') void send(form, client, message.id, message.call);
}

async function send(form: Form, client: Client, id: number, call: FrameCall): Promise<void> {
  const error = form.check();
  const result = error
    ? { error }
    : await callApi(client, 'POST', call.path, {
        ...call.form,
        ...cardParameters(form.values(), call.prefix),
      });
  postToMerchant({ side: 'frame', name: 'answer', id, result });
}

function buildForm(place: HTMLElement, options: FrameOptions): Form {
  applyAppearance(options.appearance);
  const fields = fieldRules[options.kind].map((rule) => buildField(rule, options.values[rule.name] ?? ''));
  const grid = build('div', { className: 'fields' });
  grid.append(...fields.map(({ input }) => input.closest('.field') ?? input));
  place.replaceChildren(grid);
  const isCard = options.kind === 'payment' || options.kind === 'card';
  const badge = isCard ? addBadge(fields) : null;
  const values = () => Object.fromEntries(fields.map(({ rule, input }) => [rule.name, input.value]));

  function changed(): void {
    const state = readState(fields, values(), isCard);
    if (badge) showBadge(badge, state.brand);
    postToMerchant({ side: 'frame', name: 'change', state });
  }

  for (const field of fields) listen(field, values, changed);
  if (isCard) place.append(buildTestCards(fields, changed));
  const form: Form = {
    fields,
    values,
    update(next) {
      applyAppearance(next.appearance);
      for (const { input } of fields) input.disabled = next.disabled;
    },
    clear() {
      for (const field of fields) {
        field.input.value = '';
        showProblem(field, null);
      }
      changed();
    },
    check: () => checkAll(fields, values()),
  };
  form.update(options);
  return form;
}

function buildField(rule: FieldRule, value: string): Field {
  const { name, autocomplete, placeholder } = rule;
  const wrapper = build('div', { className: rule.wide ? 'field wide' : 'field' });
  const label = build('label', { htmlFor: `field-${name}`, textContent: rule.label });
  const box = build('div', { className: 'box' });
  const input = build('input', {
    id: `field-${name}`,
    name,
    autocomplete,
    placeholder,
    inputMode: rule.numeric ? 'numeric' : 'text',
    value,
    required: !rule.optional,
    spellcheck: false,
  });
  const problem = build('p', { id: `problem-${name}`, className: 'problem', role: 'alert' });
  input.setAttribute('aria-describedby', problem.id);
  box.append(input);
  wrapper.append(label, box, problem);
  return { rule, input, problem };
}

function listen({ rule, input, problem }: Field, values: () => Values, changed: () => void): void {
  const field = { rule, input, problem };
  input.addEventListener('input', (event) => {
    const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    const atEnd = input.selectionStart === input.value.length;
    const before = input.selectionStart ?? 0;
    input.value = rule.format(input.value, deleting, values());
    // Typing in the middle must not move the caret to the end.
    if (!atEnd) input.setSelectionRange(before, before);
    showProblem(field, null);
    changed();
  });
  input.addEventListener('focus', () => postToMerchant({ side: 'frame', name: 'focus' }));
  input.addEventListener('blur', () => {
    if (input.value !== '') showProblem(field, rule.problem(input.value, values()));
    postToMerchant({ side: 'frame', name: 'blur' });
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') postToMerchant({ side: 'frame', name: 'escape' });
  });
}

function showProblem({ input, problem }: Field, error: { message: string } | null): void {
  problem.textContent = error?.message ?? '';
  if (error) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function checkAll(fields: Field[], values: Values): ProviderError | undefined {
  let first: { field: Field; error: ProviderError } | undefined;
  for (const field of fields) {
    const problem = field.rule.problem(field.input.value, values);
    showProblem(field, problem);
    if (problem && !first) first = { field, error: { type: 'validation_error', ...problem } };
  }
  first?.field.input.focus();
  return first?.error;
}

function readState(fields: Field[], values: Values, isCard: boolean): FieldState {
  const problems = fields.map(({ rule, input }) => rule.problem(input.value, values));
  const shown = fields.findIndex(({ input }) => input.getAttribute('aria-invalid') === 'true');
  const problem = problems[shown];
  return {
    empty: fields.every(({ input }) => input.value === ''),
    complete: problems.every((each) => each === null),
    brand: isCard ? brandName(values) : 'unknown',
    ...(problem ? { error: { type: 'validation_error', ...problem } } : {}),
    value: isCard ? {} : values,
  };
}

function addBadge(fields: Field[]): HTMLElement {
  const badge = build('span', { className: 'brand', hidden: true });
  fields[0]?.input.after(badge);
  return badge;
}

function showBadge(badge: HTMLElement, brand: string): void {
  badge.hidden = brand === 'unknown';
  badge.dataset.brand = brand;
  badge.textContent = brand;
}

const tries: readonly [string, string][] = [
  ['Pays', '4242424242424242'],
  ['Is declined', '4000000000000002'],
  ['Asks for confirmation', '4000002760003184'],
];

/** Buttons that fill in test cards. */
function buildTestCards(fields: Field[], changed: () => void): HTMLElement {
  const details = build('details');
  const summary = build('summary', { textContent: 'Test payments: fill in a test card' });
  const list = build('div', { className: 'tries' });
  for (const [label, number] of tries) {
    const button = build('button', { type: 'button', className: 'try', textContent: label });
    button.addEventListener('click', () => {
      fill(fields, { number, expiry: '1234', cvc: '123' });
      changed();
    });
    list.append(button);
  }
  details.append(summary, list);
  return details;
}

function fill(fields: Field[], values: Values): void {
  for (const field of fields) {
    field.input.value = field.rule.format(values[field.rule.name] ?? '', false, values);
    showProblem(field, null);
  }
}
