import { type ListenTo, readingPort, type TextPort } from '#shared/contract/text-port.ts';
import { type WindowBridge, windowBridge } from '#shared/contract/window-bridge.ts';

/** What the preload added to this page; undefined in a browser. */
export function bridgeOfWindow(): WindowBridge | undefined {
  return (window as { [windowBridge.global]?: WindowBridge })[windowBridge.global];
}

/** Asks the desktop host for a port. The host ignores all but the top frame of its own page. */
export function openElectronPort(bridge: WindowBridge): Promise<TextPort> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent<unknown>) => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== windowBridge.portMessage || !port) return;
      window.removeEventListener('message', receive);
      resolve(readingPort(port, listenTo(port)));
    };
    window.addEventListener('message', receive);
    bridge.requestPort();
  });
}

/**
 * Listens only to a port's messages. A window never outlives its host, so nothing is missed; and Electron 22 crashes the page on
 * a reload if there is a listener for `close`.
 */
const listenTo =
  (port: MessagePort): ListenTo =>
  (name, listener) => {
    if (name === 'message') port.addEventListener('message', (message: MessageEvent<unknown>) => listener(message));
  };
