import { connectionError, IntegrationError } from './client.ts';
import {
  type ApiResult,
  type Appearance,
  type FieldState,
  type FrameCall,
  type FrameKind,
  type FrameOptions,
  type FromFrame,
  messageFrom,
  type ToFrame,
} from './messages.ts';

type Handler = (event: object) => void;
/** An element whose fields are in a frame of the provider. */
export type FrameElement = ReturnType<typeof createFrameElement>;

export type FrameSettings = {
  origin: string;
  kind: FrameKind;
  options: Record<string, unknown>;
  appearance: Appearance;
  onChange(): void;
  onDestroy(): void;
};

/** Initial height of each form before it is measured, to reduce layout shifts. */
const firstHeight: Record<FrameKind, number> = {
  payment: 194,
  card: 194,
  address: 400,
  linkAuthentication: 80,
  expressCheckout: 0,
};

const loadWithin = 15_000;

function createEmitter() {
  const handlers = new Map<string, Set<Handler>>();
  return {
    /** Returns whether there is a listener. */
    emit(name: string, event: object): boolean {
      const listeners = [...(handlers.get(name) ?? [])];
      for (const handler of listeners) handler(event);
      return listeners.length > 0;
    },
    on(name: string, handler: Handler): void {
      const listeners = handlers.get(name) ?? new Set();
      handlers.set(name, listeners.add(handler));
    },
    off(name: string, handler?: Handler): void {
      if (handler) handlers.get(name)?.delete(handler);
      else handlers.delete(name);
    },
  };
}

export function createFrameElement(settings: FrameSettings) {
  const { origin, kind } = settings;
  const emitter = createEmitter();
  const waiting = new Map<number, (answer: ApiResult) => void>();
  let options = settings.options;
  let appearance = settings.appearance;
  let frame: HTMLIFrameElement | null = null;
  let loaded: { promise: Promise<boolean>; settle(good: boolean): void } | null = null;
  let requests = 0;
  let destroyed = false;
  let state: FieldState = { empty: true, complete: false, brand: 'unknown', value: {} };

  function post(message: ToFrame): void {
    frame?.contentWindow?.postMessage(message, origin);
  }

  function frameOptions(): FrameOptions {
    const disabled = options.disabled === true || options.readOnly === true;
    return { kind, appearance, disabled, button: readButton(options), values: startValues(options) };
  }

  function receive(event: MessageEvent): void {
    if (!frame || event.source !== frame.contentWindow || event.origin !== origin) return;
    const message = messageFrom<FromFrame>('frame', event.data);
    if (!message) return;
    if (message.name === 'hello') post({ side: 'page', name: 'start', options: frameOptions() });
    else if (message.name === 'height') frame.style.height = `${Math.ceil(message.height)}px`;
    else if (message.name === 'change') change(message.state);
    else if (message.name === 'answer') {
      waiting.get(message.id)?.(message.result);
      waiting.delete(message.id);
    } else {
      if (message.name === 'ready') loaded?.settle(true);
      emitter.emit(message.name, { elementType: kind, ...message.event });
    }
  }

  function change(next: FieldState): void {
    state = next;
    settings.onChange();
    emitter.emit('change', changeEvent(kind, options, next));
  }

  async function request(build: (id: number) => ToFrame): Promise<ApiResult> {
    if (!frame || !loaded) {
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      );
    }
    if (!(await loaded.promise)) return { error: connectionError() };
    requests += 1;
    const id = requests;
    const answer = new Promise<ApiResult>((resolve) => waiting.set(id, resolve));
    post(build(id));
    return answer;
  }

  function unmount(): void {
    window.removeEventListener('message', receive);
    frame?.remove();
    frame = null;
    loaded?.settle(false);
    loaded = null;
    for (const resolve of waiting.values())
      resolve({ error: { type: 'api_error', message: 'The card form was closed.' } });
    waiting.clear();
  }

  // Methods of the public interface; some return the element, so that calls can be chained.
  const element = {
    kind,
    emit: emitter.emit,
    mount(target: string | HTMLElement) {
      if (destroyed)
        throw new IntegrationError('This Element has already been destroyed. Please create a new one.');
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      if (!place)
        throw new IntegrationError(
          'The selector you specified applies to no DOM elements that are currently on the page.',
        );
      unmount();
      frame = createFrame(settings, appearance);
      loaded = waitForLoad(() => emitter.emit('loaderror', { elementType: kind, error: connectionError() }));
      window.addEventListener('message', receive);
      place.replaceChildren(frame);
      emitter.emit('loaderstart', { elementType: kind });
    },
    unmount,
    destroy() {
      unmount();
      destroyed = true;
      settings.onDestroy();
    },
    update(changes: object): object {
      options = { ...options, ...changes };
      post({ side: 'page', name: 'update', options: frameOptions() });
      return element;
    },
    setAppearance(next: Appearance) {
      appearance = next;
      if (frame) frame.style.colorScheme = getColorScheme(next);
      post({ side: 'page', name: 'update', options: frameOptions() });
    },
    on(name: string, handler: Handler): object {
      emitter.on(name, handler);
      return element;
    },
    once(name: string, handler: Handler): object {
      const onlyOnce: Handler = (event) => {
        emitter.off(name, onlyOnce);
        handler(event);
      };
      emitter.on(name, onlyOnce);
      return element;
    },
    off(name: string, handler?: Handler): object {
      emitter.off(name, handler);
      return element;
    },
    focus: () => {
      frame?.focus();
      post({ side: 'page', name: 'focus' });
    },
    blur: () => post({ side: 'page', name: 'blur' }),
    clear: () => post({ side: 'page', name: 'clear' }),
    collapse: (): object => element,
    getValue: async () => {
      const { complete, value } = changeEvent(kind, options, state);
      return { complete, isNewAddress: true, value };
    },
    validate: () => request((id) => ({ side: 'page', name: 'validate', id })),
    send: (call: FrameCall) => request((id) => ({ side: 'page', name: 'send', id, call })),
  };
  return element;
}

function createFrame({ origin, kind }: FrameSettings, appearance: Appearance): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = `${origin}/endive/frame#kind=${kind}&origin=${encodeURIComponent(window.location.origin)}`;
  frame.title = frameTitle(kind);
  Object.assign(frame.style, {
    border: '0',
    display: 'block',
    width: 'calc(100% + 4px)',
    margin: '-2px',
    height: `${firstHeight[kind]}px`,
    colorScheme: getColorScheme(appearance),
  });
  return frame;
}

function frameTitle(kind: FrameKind): string {
  if (kind === 'expressCheckout') return 'Secure payment button frame';
  return kind === 'payment' || kind === 'card' ? 'Secure payment input frame' : 'Secure input frame';
}

/** A frame is transparent only if its color scheme equals that of its element. */
function getColorScheme(appearance: Appearance): string {
  return appearance.theme === 'night' ? 'dark' : 'light';
}

function waitForLoad(onFailure: () => void): { promise: Promise<boolean>; settle(good: boolean): void } {
  let settle: (good: boolean) => void = () => {};
  const promise = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const timer = window.setTimeout(() => {
    settle(false);
    onFailure();
  }, loadWithin);
  return {
    promise,
    settle(good) {
      window.clearTimeout(timer);
      settle(good);
    },
  };
}

function readButton({ buttonHeight, buttonTheme }: Record<string, unknown>): FrameOptions['button'] {
  const height = typeof buttonHeight === 'number' ? buttonHeight : 44;
  const theme = (buttonTheme as { googlePay?: string } | undefined)?.googlePay ?? 'black';
  return { height, theme };
}

function startValues(options: Record<string, unknown>): Record<string, string> {
  const { defaultValues } = options;
  if (typeof defaultValues !== 'object' || defaultValues === null) return {};
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(defaultValues)) {
    if (typeof value === 'string') flat[name] = value;
    else if (name === 'address' && typeof value === 'object')
      Object.assign(flat, startValues({ defaultValues: value }));
  }
  return flat;
}

type ChangeEvent = { complete: boolean; value: object; [more: string]: unknown };

function changeEvent(kind: FrameKind, options: Record<string, unknown>, state: FieldState): ChangeEvent {
  const base = { elementType: kind, empty: state.empty, complete: state.complete };
  if (kind === 'payment') return { ...base, collapsed: false, value: { type: 'card' } };
  if (kind === 'card') return { ...base, error: state.error, brand: state.brand, value: { postalCode: '' } };
  if (kind === 'linkAuthentication') return { ...base, value: { email: state.value.email ?? '' } };
  const { name = '', ...address } = state.value;
  return { ...base, elementMode: options.mode ?? 'billing', isNewAddress: true, value: { name, address } };
}
