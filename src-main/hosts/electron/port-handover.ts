import { type IpcMain, type IpcMainEvent, ipcMain, type MessagePortMain } from 'electron';
import { servePort } from '#main/services/serve-port.ts';
import type { StudioRouter } from '#main/services/services.ts';
import { type ListenTo, servingPort } from '#shared/contract/text-port.ts';
import { windowBridge } from '#shared/contract/window-bridge.ts';
import { isOwnPage } from './app-scheme.ts';

/**
 * Connects windows to the services. This is the only place that listens to IPC, and so the only one that judges a
 * sender: a port is served for the top frame of our own page and closed for everything else.
 */
export function handOverPorts(router: StudioRouter, ipc: Pick<IpcMain, 'on'> = ipcMain): void {
  ipc.on(windowBridge.channel, (event) => {
    const [port] = event.ports;
    if (!port) return;
    if (isTopFrameOfOwnPage(event)) serve(router, port);
    else port.close();
  });
}

function isTopFrameOfOwnPage({ senderFrame, sender }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);
}

/** Keeps ports referenced: Electron collects an unreferenced port even while its other end is in use. */
const openPorts = new Set<MessagePortMain>();

function serve(router: StudioRouter, port: MessagePortMain): void {
  openPorts.add(port);
  port.on('close', () => openPorts.delete(port));
  const listenTo: ListenTo = (name, listener) => {
    if (name === 'message') port.on('message', listener);
    else port.on('close', () => listener());
  };
  servePort(router, servingPort(port, listenTo));
}
