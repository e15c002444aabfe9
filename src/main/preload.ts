import { contextBridge, ipcRenderer } from 'electron';
import {
  type DesktopBridge,
  type DesktopMessage,
  ENGINE_LOST,
  ENGINE_PORT,
  type MenuCommand,
} from '../shared/contract/desktop.ts';
import { PAGE_READY, TO_PAGE_LOST, TO_PAGE_MENU, TO_PAGE_PORT } from './electron/messages.ts';

const bridge: DesktopBridge = { ready: () => ipcRenderer.send(PAGE_READY) };
contextBridge.exposeInMainWorld('kneepoint', bridge);

// Ports cannot cross the context bridge, but window messages can carry them.
const post = (message: DesktopMessage, ports: readonly MessagePort[] = []): void =>
  window.postMessage(message, window.location.origin, [...ports]);

ipcRenderer.on(TO_PAGE_PORT, (event) => post(ENGINE_PORT, event.ports));
ipcRenderer.on(TO_PAGE_LOST, () => post(ENGINE_LOST));
ipcRenderer.on(TO_PAGE_MENU, (_, menu: MenuCommand) => post({ menu }));
