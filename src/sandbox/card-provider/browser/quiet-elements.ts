import { createEmitter, type Element } from './frame-element.ts';

/** Wallet buttons: there are none in the sandbox, and the element says so as it does on a device without wallets. */
export function createExpressCheckout(onDestroy: () => void): Element {
  const emitter = createEmitter();
  const element: Element = {
    mount() {
      queueMicrotask(() =>
        emitter.emit('ready', { elementType: 'expressCheckout', availablePaymentMethods: undefined }),
      );
    },
    unmount() {},
    destroy: onDestroy,
    update: () => element,
    on(name, handler) {
      emitter.on(name, handler);
      return element;
    },
    once(name, handler) {
      emitter.on(name, handler);
      return element;
    },
    off(name, handler) {
      emitter.off(name, handler);
      return element;
    },
    focus() {},
    blur() {},
    clear() {},
    collapse: () => element,
    getValue: async () => ({}),
  };
  return element;
}
