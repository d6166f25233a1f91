import { contextBridge, ipcRenderer } from 'electron';
import { type WindowBridge, windowBridge } from '#shared/contract/window-bridge.ts';

/** The part of `window` that the preload needs; this layer has no DOM types. */
declare const location: { readonly origin: string };
declare function postMessage(message: unknown, targetOrigin: string, transfer: readonly unknown[]): void;

/** A port can't cross the context bridge, but a message from the window to itself can carry it. */
const bridge: WindowBridge = {
  requestPort() {
    const { port1, port2 } = new MessageChannel();
    ipcRenderer.postMessage(windowBridge.channel, null, [port1]);
    postMessage(windowBridge.portMessage, location.origin, [port2]);
  },
};

contextBridge.exposeInMainWorld(windowBridge.global, bridge);
